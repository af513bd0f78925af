using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn.Tests.Contracts;

/// <summary>A refusal in the middle of growth, by a budget, a pool or an owner, changes nothing and loses nothing.</summary>
public sealed class RefusedRoomContractTests : IDisposable
{
    private const int Limit = 40_000;

    private readonly BufferBudget _budget = new(Limit);
    private readonly BufferPool<byte> _pool;
    private readonly NativeHeap _heap;

    /// <summary>For owners with a budget of their own.</summary>
    private readonly BufferPool<byte> _plain = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly NativeHeap _plainHeap = new();

    public RefusedRoomContractTests()
    {
        _pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = _budget, Checks = BufferChecks.Returns });
        _heap = new NativeHeap(new NativeHeapOptions { Budget = _budget });
    }

    public void Dispose()
    {
        _heap.Dispose();
        _plainHeap.Dispose();
    }

    public static TheoryData<string> Kinds =>
    [
        "pooled writer", "native writer", "sequence builder", "stream", "limited stream", "native stream", "pooled writer with a budget",
        "native writer with a budget", "sequence builder with a budget",
    ];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_was_there_stays_and_the_room_from_before_can_be_written_to(string kind)
    {
        foreach (int length in (int[])[0, 10, 3000])
        {
            (IBufferWriter<byte> writer, Func<byte[]> read, IDisposable owner) = Create(kind);
            byte[] contents = [.. Enumerable.Range(0, length).Select(static i => (byte)i)];
            writer.Write(contents);
            Memory<byte> room = writer.GetMemory(700);
            long inUse = _budget.InUse;
            foreach (int sizeHint in (int[])[Limit + 1, 2 * Limit, 100 * Limit])
            {
                Assert.Throws<BufferBudgetExceededException>(() => writer.GetMemory(sizeHint));
                Assert.Throws<BufferBudgetExceededException>(() => writer.GetSpan(sizeHint).Length);
                Assert.Equal(inUse, _budget.InUse);
            }

            room.Span[..700].Fill(9);
            writer.Advance(700);
            Assert.Equal([.. contents, .. Enumerable.Repeat((byte)9, 700)], read());
            owner.Dispose();
            Assert.Equal(0, _budget.InUse);
        }
    }

    [Fact]
    public void A_builder_that_cannot_write_all_writes_nothing()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1, 2, 3]);
        builder.AppendReference(new byte[] { 4 });
        long inUse = _budget.InUse;
        Assert.Throws<BufferBudgetExceededException>(() => builder.Write(new byte[Limit]));
        Assert.Equal([1, 2, 3, 4], builder.Sequence.ToArray());
        Assert.Equal(inUse, _budget.InUse);
    }

    /// <summary>The user returned an array that the owner has, and the pool refuses its second return.</summary>
    [Fact]
    public void A_segment_that_the_pool_refuses_keeps_no_other_from_going_back()
    {
        foreach (bool detaches in (bool[])[false, true])
        {
            SequenceBuilder<byte> builder = new(_pool);
            builder.Write(new byte[100]);
            _pool.Return(ArrayOf(builder.Sequence.First));
            builder.Write(new byte[9000]);
            builder.GetMemory(20_000);
            IDisposable end = detaches ? builder.Detach() : builder;
            Assert.Throws<InvalidOperationException>(end.Dispose);
            end.Dispose();
            builder.Dispose();
            Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        }
    }

    [Fact]
    public unsafe void A_block_that_the_heap_refuses_keeps_no_other_from_being_freed()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.Returns });
        foreach (bool resets in (bool[])[false, true])
        {
            NativeScope scope = heap.CreateScope();
            scope.Allocate(10);
            heap.Free(scope.Allocate(20));
            scope.Allocate(30);
            Assert.Throws<InvalidOperationException>(resets ? scope.Reset : scope.Dispose);
            scope.Dispose();
            Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        }
    }

    private static byte[] ArrayOf(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> segment) ? segment.Array! : throw new InvalidOperationException();

    private (IBufferWriter<byte> Writer, Func<byte[]> Read, IDisposable Owner) Create(string kind)
    {
        switch (kind)
        {
            case "sequence builder" or "sequence builder with a budget":
                SequenceBuilder<byte> builder = kind == "sequence builder" ? new(_pool) : new(_plain, _budget);
                return (builder, () => builder.Sequence.ToArray(), builder);
            case "pooled writer" or "native writer":
                PooledWriter<byte> writer = kind == "pooled writer" ? new(_pool) : new PooledWriter<byte>(_heap);
                return (writer, () => writer.WrittenSpan.ToArray(), writer);
            case "pooled writer with a budget" or "native writer with a budget":
                bool isNative = kind == "native writer with a budget";
                PooledWriter<byte> own = isNative ? new(_plainHeap, budget: _budget) : new(_plain, budget: _budget);
                return (own, () => own.WrittenSpan.ToArray(), own);
            default:
                PooledMemoryStream stream = new(new PooledMemoryStreamOptions
                {
                    Budget = _budget,
                    Heap = kind == "native stream" ? new NativeHeap() : null,
                    MaxCapacity = kind == "limited stream" ? 4000 : 1 << 30,
                });
                return (stream, stream.ToArray, stream);
        }
    }
}
