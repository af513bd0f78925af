using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// A storm whose threads also return arrays that the pool never handed out, and abandon arrays that it did. Neither may change what the
/// pool does for the others, or break its equations or its cap.
/// </summary>
internal sealed class StrangerStorm(BufferPool<long> pool, int threads, TimeSpan duration) : PoolStorm(pool, threads, duration)
{
    private static readonly int[] s_classes = [16, 112, 512, 4096, 32_768];

    private readonly BufferPool<long> _pool = pool;
    private long _strangers;
    private long _abandoned;

    /// <summary>Arrays returned that were not rented.</summary>
    internal long Strangers => Volatile.Read(ref _strangers);

    /// <summary>Arrays rented and dropped.</summary>
    internal long Abandoned => Volatile.Read(ref _abandoned);

    /// <inheritdoc/>
    protected override void Use(Random random)
    {
        base.Use(random);
        int length = s_classes[random.Next(s_classes.Length)];
        int count = random.Next(20);
        bool abandons = random.Next(2) == 0;
        for (int i = 0; i < count; i++)
        {
            if (abandons)
            {
                _pool.Rent(length);
            }
            else
            {
                _pool.Return(new long[length]);
            }
        }

        Interlocked.Add(ref abandons ? ref _abandoned : ref _strangers, count);
    }

    /// <inheritdoc/>
    protected override void VerifyEnd()
    {
        BufferPoolStatistics end = _pool.GetStatistics();
        Require.Equal(end.Rented - Abandoned + Strangers, end.Returned, "Buffers returned, at the end");
        Require.That(
            _pool.Core.Budget.Granted <= _pool.Core.Budget.Cap,
            $"{_pool.Core.Budget.Granted} bytes are granted under a cap of {_pool.Core.Budget.Cap}.");
        _pool.Core.Validate();
        _pool.Trim();
        Require.Equal((0, 0), (_pool.GetStatistics().RetainedBytes, _pool.Core.Budget.Granted), "Bytes retained, granted after a trim");
    }
}
