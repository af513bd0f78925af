using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <summary>Writers of native memory: the contract, and what only they do.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class NativeWriterTests() : PooledWriterContract(new HeapWriterSource(BufferChecks.All))
{
    private const int Mebibyte = 1 << 20;

    [Fact]
    public void A_heap_is_needed_that_is_not_disposed()
    {
        Assert.Throws<ArgumentNullException>("heap", () => new PooledWriter<byte>((NativeHeap)null!));
        NativeHeap heap = new();
        PooledWriter<byte> empty = new(heap);
        PooledWriter<byte> written = new(heap, capacity: 10);
        written.Write(1);
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => new PooledWriter<byte>(heap));
        Assert.Throws<ObjectDisposedException>(() => empty.Write(1));
        Assert.Throws<ObjectDisposedException>(() => written.Write(1));
        Assert.Throws<ObjectDisposedException>(() => written.WrittenSpan.Length);
        empty.Dispose();
        written.Dispose();
    }

    [Fact]
    public void Elements_with_references_are_refused_by_their_type()
    {
        using NativeHeap heap = new();
        ArgumentException refused = Assert.Throws<ArgumentException>("heap", () => new PooledWriter<string>(heap));
        Assert.Contains("System.String", refused.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>("heap", () => new PooledWriter<(int, object)>(heap, capacity: 10));
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void Elements_of_any_size_lie_one_after_the_other_at_an_aligned_address()
    {
        using NativeHeap heap = new();
        using PooledWriter<decimal> writer = new(heap);
        for (int i = 0; i < 10_000; i++)
        {
            writer.Write(i);
        }

        using MemoryHandle pin = writer.WrittenMemory.Pin();
        unsafe
        {
            Assert.Equal(0, (nint)pin.Pointer % 64);
            Assert.Equal(9_999, ((decimal*)pin.Pointer)[9_999]);
        }

        Assert.False(MemoryMarshal.TryGetArray(writer.WrittenMemory, out _));
    }

    /// <summary>A copy to a second block would need both at once, for which the budget has no room.</summary>
    [Fact]
    public void A_large_buffer_is_reallocated_and_not_copied_to_another()
    {
        BufferBudget budget = new(5 * Mebibyte);
        using NativeHeap heap = new(new NativeHeapOptions { Budget = budget });
        using PooledWriter<byte> writer = new(heap, capacity: 2 * Mebibyte);
        writer.Write(Enumerable.Repeat((byte)7, 2 * Mebibyte).ToArray());
        writer.Write(8);
        Assert.Equal((4 * Mebibyte, 4L * Mebibyte), (writer.Capacity, budget.InUse));
        Assert.Equal(2 * Mebibyte, writer.WrittenSpan.IndexOf((byte)8));
        Assert.Equal(2 * Mebibyte, writer.WrittenSpan.IndexOfAnyExcept((byte)7));

        BufferBudgetExceededException refused = Assert.Throws<BufferBudgetExceededException>(() => writer.GetSpan(3 * Mebibyte));
        Assert.Equal(5 * Mebibyte, refused.Limit);
        Assert.Equal((4 * Mebibyte, (2 * Mebibyte) + 1), (writer.Capacity, writer.WrittenCount));
        writer.Dispose();
        Assert.Equal(0, budget.InUse);
    }

    /// <summary>Native code may still use what is pinned, so the contents move to another buffer.</summary>
    [Fact]
    public void A_pinned_buffer_stays_where_it_is_until_its_last_unpin()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.All });
        using PooledWriter<byte> writer = new(heap, capacity: 100);
        writer.Write([1, 2, 3]);
        MemoryHandle pin = writer.WrittenMemory.Pin();
        writer.Write(new byte[1000]);
        Assert.Equal(2, heap.GetStatistics().InUseBlocks);
        unsafe
        {
            Assert.Equal([1, 2, 3], new ReadOnlySpan<byte>(pin.Pointer, 3).ToArray());
        }

        pin.Dispose();
        Assert.Equal(1, heap.GetStatistics().InUseBlocks);
        Assert.Equal([1, 2, 3, 0], writer.WrittenSpan[..4].ToArray());
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(3 * Mebibyte)]
    public void Without_memory_a_writer_is_unchanged(int count)
    {
        FailingMemory memory = new();
        using NativeHeap heap = new(new NativeHeapOptions { Memory = memory });
        using PooledWriter<byte> writer = new(heap, capacity: count);
        writer.Write(Enumerable.Repeat((byte)7, count).ToArray());
        memory.Refuse(static () => true);
        Assert.Throws<OutOfMemoryException>(() => writer.Write(1));
        Assert.Throws<OutOfMemoryException>(() => writer.GetSpan(count));
        Assert.Throws<OutOfMemoryException>(() => writer.GetMemory(10 * count));
        Assert.Throws<OutOfMemoryException>(() => writer.Reserve(count));
        Assert.Equal((count, count), (writer.WrittenCount, writer.Capacity));

        memory.RefuseNothing();
        writer.Write(8);
        Assert.Equal(count, writer.WrittenSpan.IndexOfAnyExcept((byte)7));
        Assert.Equal(1, heap.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void A_forgotten_writer_is_freed_and_reported_with_the_stack_that_rented_its_buffer()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"writers {Guid.NewGuid()}", Checks = BufferChecks.Leaks });
        using IncidentLog incidents = new(heap.Name);
        Forget(heap);

        Eventually.TrueAfterCollections(() => incidents.Count > 0, "the leak is reported");

        BufferIncident leak = incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.Leak, leak.Kind);
        Assert.Contains(nameof(Forget), leak.RentedAt, StringComparison.Ordinal);
        Eventually.True(() => heap.GetStatistics().InUseBlocks == 0, "the forgotten buffer is freed");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
#pragma warning disable TARN001, TARN011, CA2000 // it is the leak under test
    private static void Forget(NativeHeap heap) => new PooledWriter<byte>(heap).Write([1, 2, 3]);
#pragma warning restore TARN001, TARN011, CA2000
}
