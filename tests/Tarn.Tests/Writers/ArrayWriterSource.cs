namespace Tarn.Tests.Writers;

/// <summary>Writers over a pool of arrays.</summary>
internal sealed class ArrayWriterSource(BufferChecks checks, long limit = 0) : WriterSource(limit)
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks });

    internal override long InUseBytes => _pool.GetStatistics().InUseBytes;

    public override void Dispose()
    {
    }

    internal override PooledWriter<byte> Create(int capacity = 0, int maxCount = int.MaxValue) =>
        new(_pool, capacity, maxCount, Budget);

    internal override void AssertAllReturned()
    {
        base.AssertAllReturned();
        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((0L, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
    }
}
