using System.Runtime.CompilerServices;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Sharing;

/// <summary>A counted buffer that never comes back, in a pool with checks.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class SharedLeakTests
{
    [Fact]
    public void A_lost_buffer_names_each_holder_that_is_left_and_where_it_became_one()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        LoseTwoSlicesOfThree(tested.Pool);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count > 0, "the leak is reported");

        BufferIncident leak = tested.Incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.Leak, leak.Kind);
        Assert.Contains(nameof(LoseTwoSlicesOfThree), leak.RentedAt, StringComparison.Ordinal);
        Assert.StartsWith("held by 2, taken", leak.HeldAt, StringComparison.Ordinal);
        Assert.Contains(nameof(Forget), leak.HeldAt, StringComparison.Ordinal);
        Assert.Contains("held by 2, taken", leak.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_lost_buffer_without_slices_names_its_rent()
    {
        // Others ended on this thread, whose tables it uses again.
        UseSome();
        using CheckedPool<byte> tested = new(BufferChecks.All);
        LoseBuffer(tested.Pool);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count > 0, "the leak is reported");

        string? heldAt = tested.Incidents.WaitForOne().HeldAt;
        Assert.StartsWith("held by 1, taken", heldAt, StringComparison.Ordinal);
        Assert.Contains(nameof(LoseBuffer), heldAt, StringComparison.Ordinal);
    }

    [Fact]
    public void Checks_find_nothing_in_buffers_that_come_back()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All);
        for (int i = 0; i < 100; i++)
        {
            CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(tested.Pool, 100);
            CountedSlice<byte> slice = buffer.Slice(10);
            buffer.Dispose();
            Assert.Equal(90, slice.Span.Length);
            slice.Dispose();
            Assert.Throws<ObjectDisposedException>(slice.Dispose);
        }

        Eventually.Collect();
        tested.Incidents.AssertNone();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LoseTwoSlicesOfThree(BufferPool<byte> pool)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(pool, 100);
        for (int i = 0; i < 2; i++)
        {
            Forget(buffer);
        }

        buffer.Slice().Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(CountedBuffer<byte> buffer) => _ = buffer.Slice(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseSome()
    {
        for (int i = 0; i < 3; i++)
        {
            CountedBuffer<byte>.Rent(100).Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LoseBuffer(BufferPool<byte> pool) => _ = CountedBuffer<byte>.Rent(pool, 100);
}
