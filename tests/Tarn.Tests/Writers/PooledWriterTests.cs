using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PooledWriterTests() : PooledWriterContract(new ArrayWriterSource(BufferChecks.Returns | BufferChecks.UseAfterReturn))
{
    [Fact]
    public void A_pool_is_needed() => Assert.Throws<ArgumentNullException>("pool", () => new PooledWriter<byte>((BufferPool<byte>)null!));

    [Fact]
    public void Without_memory_a_writer_is_unchanged()
    {
        using PooledWriter<Huge> writer = new();
        writer.Write(new Huge { First = 7 });
        int capacity = writer.Capacity;
        Assert.Throws<OutOfMemoryException>(() => writer.GetSpan(1 << 30));
        Assert.Throws<OutOfMemoryException>(() => writer.Reserve(1 << 30));
        Assert.Equal((1, capacity), (writer.WrittenCount, writer.Capacity));
        Assert.Equal(7, writer.WrittenSpan[0].First);
    }

    [Fact]
    public void References_do_not_stay_behind()
    {
        BufferPool<object> pool = BufferPool<object>.Create();
        using PooledWriter<object> writer = new(pool);
        writer.Write(new object());
        writer.Clear();
        Assert.Null(writer.GetSpan()[0]);
        for (int i = 0; i < 1000; i++)
        {
            writer.Write(writer);
        }

        writer.GetSpan()[0] = writer;
        using (IMemoryOwner<object> owner = writer.Detach())
        {
            Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray(owner.Memory, out ArraySegment<object> segment));
            Assert.All(segment.Array!.Skip(1000), Assert.Null);
        }

        writer.GetSpan()[0] = writer;
        writer.Dispose();
        Assert.Null(pool.Rent(256)[0]);
    }

    [Fact]
    public void A_forgotten_writer_is_reported_with_the_stack_that_grew_it()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        Forget(tested.Pool);

        Eventually.TrueAfterCollections(() => tested.Incidents.Count > 0, "the leak is reported");

        BufferIncident leak = tested.Incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.Leak, leak.Kind);
        Assert.Contains(nameof(Forget), leak.RentedAt, StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
#pragma warning disable TARN001, TARN011, CA2000 // it is the leak under test
    private static void Forget(BufferPool<byte> pool) => new PooledWriter<byte>(pool).Write([1, 2, 3]);
#pragma warning restore TARN001, TARN011, CA2000
}
