using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <summary>Writers of native memory. With checks, a second free and a write to free memory are incidents.</summary>
internal sealed class HeapWriterSource : WriterSource
{
    private readonly IncidentLog _incidents;

    internal HeapWriterSource(BufferChecks checks, long limit = 0)
        : base(limit)
    {
        Heap = new NativeHeap(new NativeHeapOptions { Name = $"writers {Guid.NewGuid()}", Checks = checks });
        _incidents = new IncidentLog(Heap.Name);
    }

    internal NativeHeap Heap { get; }

    internal override long InUseBytes => Heap.GetStatistics().InUseBytes;

    public override void Dispose()
    {
        Heap.Dispose();
        _incidents.AssertNone();
        _incidents.Dispose();
    }

    internal override PooledWriter<byte> Create(int capacity = 0, int maxCount = int.MaxValue) =>
        new PooledWriter<byte>(Heap, capacity, maxCount, Budget);

    internal override void AssertAllReturned()
    {
        base.AssertAllReturned();
        Assert.Equal(0, Heap.GetStatistics().InUseBlocks);
    }
}
