using System.Buffers;
using Apache.Arrow;
using Apache.Arrow.Ipc;
using Apache.Arrow.Memory;
using Apache.Arrow.Types;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class ArrowRecipes
{
    private static readonly long[] s_prices = [.. Enumerable.Range(0, 10_000).Select(static i => i * 3L)];

    [Fact]
    public async Task Columns_lie_in_native_memory_and_travel_through_a_pooled_stream()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.All });
        await SendAndReceive(heap);
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Fact]
    public async Task Columns_are_read_where_they_were_received()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.All });
        using MemoryStream source = new();
        Int64Array prices = new Int64Array.Builder().AppendRange(s_prices).Build();
        Schema schema = new Schema.Builder().Field(static field => field.Name("prices").DataType(Int64Type.Default)).Build();
        using RecordBatch batch = new(schema, [prices], prices.Length);
        using (ArrowStreamWriter writer = new(source, schema, leaveOpen: true))
        {
            await writer.WriteRecordBatchAsync(batch);
            await writer.WriteEndAsync();
        }

        source.Position = 0;
        await Receive(heap, source);
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    private static async Task SendAndReceive(NativeHeap heap)
    {
        #region Arrow, columns in native memory
        HeapAllocator allocator = new(heap);
        Int64Array prices = new Int64Array.Builder().AppendRange(s_prices).Build(allocator);
        Schema schema = new Schema.Builder().Field(static field => field.Name("prices").DataType(Int64Type.Default)).Build();
        using RecordBatch batch = new(schema, [prices], prices.Length);
        using PooledMemoryStream wire = new();
        using (ArrowStreamWriter writer = new(wire, schema, leaveOpen: true))
        {
            await writer.WriteRecordBatchAsync(batch);
            await writer.WriteEndAsync();
        }

        wire.Position = 0;
        using ArrowStreamReader reader = new(wire, allocator, leaveOpen: true);
        using RecordBatch copy = await reader.ReadNextRecordBatchAsync();
        #endregion

        Assert.Equal(s_prices, ((Int64Array)copy.Column(0)).Values.ToArray());
        Assert.InRange(heap.GetStatistics().InUseBlocks, 2, 100);
    }

    private static async Task Receive(NativeHeap heap, Stream source)
    {
        #region Arrow, columns read in place
        using PooledWriter<byte> received = new(heap);
        int count;
        while ((count = await source.ReadAsync(received.GetMemory())) > 0)
        {
            received.Advance(count);
        }

        using ArrowStreamReader reader = new(received.WrittenMemory);
        using RecordBatch batch = await reader.ReadNextRecordBatchAsync();
        #endregion

        Assert.Equal(s_prices, ((Int64Array)batch.Column(0)).Values.ToArray());
        Assert.True(((Int64Array)batch.Column(0)).ValueBuffer.Span.Overlaps(received.WrittenSpan));
    }

    #region Arrow, an allocator
    internal sealed class HeapAllocator(NativeHeap heap) : MemoryAllocator
    {
        private static readonly NativeBufferOptions s_options = new() { Alignment = DefaultAlignment, Zeroed = true };

        protected override IMemoryOwner<byte> AllocateInternal(int length, out int bytesAllocated)
        {
            bytesAllocated = length;
            return heap.AllocateBuffer<byte>(length, s_options);
        }
    }
    #endregion
}
