using Apache.Arrow;
using Apache.Arrow.Memory;
using Apache.Arrow.Types;

namespace Tarn.Integrations.Tests.Writers;

/// <summary>A batch of two columns, one of numbers and one of strings.</summary>
internal sealed class ArrowColumns : IDisposable
{
    private readonly long[] _numbers;
    private readonly string[] _strings;

    internal ArrowColumns(int count, MemoryAllocator? allocator = null)
    {
        _numbers = [.. Enumerable.Range(0, count).Select(static i => i * 1_000_000_007L)];
        _strings = [.. Enumerable.Range(0, count).Select(static i => new string((char)('ä' + (i % 20)), i % 50))];
        Schema schema = new Schema.Builder()
            .Field(static field => field.Name("numbers").DataType(Int64Type.Default).Nullable(false))
            .Field(static field => field.Name("strings").DataType(StringType.Default).Nullable(false))
            .Build();
        Batch = new RecordBatch(
            schema,
            [
                new Int64Array.Builder().AppendRange(_numbers).Build(allocator),
                new StringArray.Builder().AppendRange(_strings).Build(allocator),
            ],
            count);
    }

    internal RecordBatch Batch { get; }

    public void Dispose() => Batch.Dispose();

    /// <summary>Compares a batch that was read, and disposes it.</summary>
    internal void AssertSame(RecordBatch? read)
    {
        Assert.NotNull(read);
        using (read)
        {
            Assert.Equal(_numbers, ((Int64Array)read.Column(0)).Values.ToArray());
            StringArray strings = (StringArray)read.Column(1);
            Assert.Equal(_strings, Enumerable.Range(0, strings.Length).Select(index => strings.GetString(index)));
        }
    }
}
