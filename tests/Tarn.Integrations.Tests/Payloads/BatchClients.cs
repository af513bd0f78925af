using System.Buffers;
using System.Runtime.InteropServices;
using Apache.Arrow;
using Apache.Arrow.Ipc;
using Apache.Arrow.Memory;
using Apache.Arrow.Types;
using Parquet;
using Parquet.Schema;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A batch of one column is written to a stream and read from it. Arrow's own allocator takes native memory too.</summary>
internal sealed class ArrowClient : PayloadClient
{
    private readonly NativeHeap _heap = new();
    private readonly RecordBatch _batch;

    public ArrowClient()
    {
        UInt8Array column = new UInt8Array.Builder().Append(Report).Build();
        Schema schema = new Schema.Builder().Field(static field => field.Name("report").DataType(UInt8Type.Default)).Build();
        _batch = new RecordBatch(schema, [column], column.Length);
    }

    internal override Task UsualAsync() => SendAndReceiveAsync(new MemoryStream(), MemoryAllocator.Default.Value);

    internal override Task WithTarnAsync() => SendAndReceiveAsync(new PooledMemoryStream(), new ArrowRecipes.HeapAllocator(_heap));

    public override ValueTask DisposeAsync()
    {
        _batch.Dispose();
        _heap.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task SendAndReceiveAsync(MemoryStream stream, MemoryAllocator allocator)
    {
        using MemoryStream wire = stream;
        using (ArrowStreamWriter writer = new(wire, _batch.Schema, leaveOpen: true))
        {
            await writer.WriteRecordBatchAsync(_batch);
            await writer.WriteEndAsync();
        }

        wire.Position = 0;
        using ArrowStreamReader reader = new(wire, allocator, leaveOpen: true);
        using RecordBatch copy = await reader.ReadNextRecordBatchAsync();
        AssertArrived(((UInt8Array)copy.Column(0)).Values);
    }
}

/// <summary>A file of one column is written to a stream and read from it.</summary>
internal sealed class ParquetClient : PayloadClient
{
    private static readonly DataField<long> s_field = new("report");
    private readonly long[] _report;

    public ParquetClient() => _report = MemoryMarshal.Cast<byte, long>(Report).ToArray();

    internal override Task UsualAsync() => WriteAndReadAsync(new MemoryStream(), new long[_report.Length]);

    internal override async Task WithTarnAsync()
    {
        using IMemoryOwner<long> column = BufferPool<long>.Shared.LeaseMemory(_report.Length);
        await WriteAndReadAsync(new PooledMemoryStream(), column.Memory);
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private async Task WriteAndReadAsync(Stream stream, Memory<long> column)
    {
        await using Stream file = stream;
        await using (ParquetWriter writer = await ParquetWriter.CreateAsync(new ParquetSchema(s_field), file))
        using (ParquetRowGroupWriter rows = writer.CreateRowGroup())
        {
            await rows.WriteAsync<long>(s_field, _report);
            rows.CompleteValidate();
        }

        file.Position = 0;
        await using ParquetReader reader = await ParquetReader.CreateAsync(file);
        using ParquetRowGroupReader group = reader.OpenRowGroupReader(0);
        Assert.Equal(column.Length, group.RowCount);
        await group.ReadAsync(s_field, column);
        AssertArrived(MemoryMarshal.AsBytes(column.Span));
    }
}
