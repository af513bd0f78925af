using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public class LeakCheckTests
{
    [Theory]
    [InlineData(BufferChecks.Leaks)]
    [InlineData(BufferChecks.All)]
    public void A_dropped_buffer_is_reported_with_the_stack_that_rented_it(BufferChecks checks)
    {
        using CheckedPool<byte> tested = new(checks);
        DropWithThisMethod(tested.Pool, 100);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count > 0, "the leak is reported");

        BufferIncident leak = tested.Incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.Leak, 112L), (leak.Kind, leak.SizeInBytes));
        Assert.Contains(nameof(DropWithThisMethod), leak.RentedAt, StringComparison.Ordinal);
        Assert.Null(leak.ReturnedAt);
    }

    [Fact]
    public void A_dropped_memory_lease_and_a_dropped_exact_array_are_reported()
    {
        using CheckedPool<int> tested = new(BufferChecks.Leaks);
        DropLease(tested.Pool);
        DropExact(tested.Pool);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count == 2, "both leaks are reported");

        Assert.Contains(tested.Incidents.All, leak => leak.RentedAt!.Contains(nameof(DropLease), StringComparison.Ordinal));
        Assert.Contains(tested.Incidents.All, leak => leak.RentedAt!.Contains(nameof(DropExact), StringComparison.Ordinal));
    }

    [Fact]
    public void Returned_buffers_and_buffers_still_in_use_are_never_reported()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        byte[] inUse = tested.Pool.Rent(100);
        UseAndReturn(tested.Pool, 1000);
        tested.Pool.Trim();
        using CheckedPool<byte> sentinel = DropInAPoolOfItsOwn();

        Eventually.TrueAfterCollections(() => sentinel.Incidents.Count > 0, "a real leak is reported");

        tested.Incidents.AssertNone();
        GC.KeepAlive(inUse);
    }

    [Fact]
    public void A_buffer_that_a_finalizer_returns_is_not_reported()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        for (int i = 0; i < 50; i++)
        {
            DropWhatReturnsInItsFinalizer(tested.Pool);
        }

        Eventually.TrueAfterCollections(() => tested.Pool.GetStatistics().Returned == 50, "the finalizers return");
        Eventually.Collect();

        tested.Incidents.AssertNone();
    }

    [Fact]
    public void One_dropped_buffer_in_128_is_reported_when_leaks_are_sampled()
    {
        using CheckedPool<byte> tested = new(BufferChecks.SampledLeaks);
        for (int i = 0; i < 128 * 10; i++)
        {
            DropWithThisMethod(tested.Pool, 100);
        }

        Eventually.TrueAfterCollections(() => tested.Incidents.Count >= 10, "a sample is reported");
        Eventually.Collect();
        IncidentLog.WaitUntilHandled();

        Assert.Equal(10, tested.Incidents.Count);
        Assert.All(tested.Incidents.All, leak => Assert.Contains(nameof(DropWithThisMethod), leak.RentedAt, StringComparison.Ordinal));
    }

    [Fact]
    public void Leaks_are_sampled_beside_another_check_too()
    {
        using CheckedPool<byte> tested = new(BufferChecks.SampledLeaks | BufferChecks.Returns);
        for (int i = 0; i < 128 * 3; i++)
        {
            DropWithThisMethod(tested.Pool, 100);
        }

        Eventually.TrueAfterCollections(() => tested.Incidents.Count >= 3, "a sample is reported");
        Eventually.Collect();
        IncidentLog.WaitUntilHandled();

        Assert.Equal(3, tested.Incidents.Count);
    }

    [Fact]
    public void With_sampled_leaks_a_returned_buffer_is_never_reported_whatever_its_earlier_renters()
    {
        using CheckedPool<byte> tested = new(BufferChecks.SampledLeaks);
        UseAndReturn(tested.Pool, 128 * 20);
        tested.Pool.Trim();
        using CheckedPool<byte> sentinel = DropInAPoolOfItsOwn();

        Eventually.TrueAfterCollections(() => sentinel.Incidents.Count > 0, "a real leak is reported");

        tested.Incidents.AssertNone();
    }

    [Fact]
    public void A_sampled_buffer_that_came_back_is_not_reported_when_an_unsampled_rent_of_it_is_dropped()
    {
        using CheckedPool<byte> tested = new(BufferChecks.SampledLeaks);
        DropOnTheRentAfterTheSampledOne(tested.Pool);
        using CheckedPool<byte> sentinel = DropInAPoolOfItsOwn();

        Eventually.TrueAfterCollections(() => sentinel.Incidents.Count > 0, "a real leak is reported");

        tested.Incidents.AssertNone();
    }

    [Fact]
    public void A_reused_buffer_that_is_dropped_is_reported_although_the_thread_had_it_in_its_cache()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks, new BufferPoolOptions { IdleTimeout = Timeout.InfiniteTimeSpan });
        DropReusedBuffers(tested.Pool);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count == 10, "all leaks are reported");
    }

    [Fact]
    public void References_survive_collections_while_buffers_are_cleared_and_looked_at()
    {
        using CheckedPool<object?> tested = new(BufferChecks.All);
        using CancellationTokenSource stop = new();
        Thread collecting = new(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect(0);
                Thread.Sleep(1);
            }
        });
        collecting.Start();

        for (int i = 0; i < 500; i++)
        {
            object?[] buffer = tested.Pool.Rent(1 + (i % 9));
            for (int at = 0; at < buffer.Length; at++)
            {
                buffer[at] = new string('x', 3);
            }

            tested.Pool.Return(buffer);
        }

        stop.Cancel();
        collecting.Join();
        tested.Incidents.AssertNone();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropReusedBuffers(BufferPool<byte> pool)
    {
        byte[][] buffers = [.. Enumerable.Range(0, 10).Select(_ => pool.Rent(100))];
        foreach (byte[] buffer in buffers)
        {
            pool.Return(buffer);
        }

        for (int i = 0; i < 10; i++)
        {
            Assert.Contains(pool.Rent(100), buffers);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropOnTheRentAfterTheSampledOne(BufferPool<byte> pool)
    {
        byte[]? last = null;
        for (int i = 0; i < 128; i++)
        {
            last = pool.Rent(100);
            pool.Return(last);
        }

        Assert.Same(last, pool.Rent(100));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropWithThisMethod(BufferPool<byte> pool, int length) => pool.Rent(length)[0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropLease(BufferPool<int> pool) => pool.LeaseMemory(10).Memory.Span[0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropExact(BufferPool<int> pool) => pool.RentExact(33)[0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseAndReturn(BufferPool<byte> pool, int times)
    {
        for (int i = 0; i < times; i++)
        {
            byte[] one = pool.Rent(100);
            byte[] two = pool.Rent(1000 + i);
            pool.Return(one);
            pool.Return(two);
            using IMemoryOwner<byte> owner = pool.LeaseMemory(77);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropWhatReturnsInItsFinalizer(BufferPool<byte> pool) => _ = new ReturningOwner(pool);

    private static CheckedPool<byte> DropInAPoolOfItsOwn()
    {
        CheckedPool<byte> pool = new(BufferChecks.Leaks);
        DropWithThisMethod(pool.Pool, 100);
        return pool;
    }

    /// <summary>An owner whose user forgot to dispose it, and which makes up for that.</summary>
    private sealed class ReturningOwner(BufferPool<byte> pool)
    {
        private readonly byte[] _buffer = pool.Rent(100);

        ~ReturningOwner() => pool.Return(_buffer);
    }
}
