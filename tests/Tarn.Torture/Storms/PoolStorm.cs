using System.Numerics;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A storm over an array pool.</summary>
internal class PoolStorm(BufferPool<long> pool, int threads, TimeSpan duration) : OwnershipStorm<StampedBuffer>(threads, duration)
{
    private static readonly int[] s_lengths = [1, 3, 17, 100, 100, 100, 128, 500, 1000, 4000, 30_000];

    /// <inheritdoc/>
    protected override int MostAtOnce => 60;

    /// <summary>Rents from the pool; a test may return another array.</summary>
    protected virtual long[] Rent(int length, bool exact) => exact ? pool.RentExact(length) : pool.Rent(length);

    /// <inheritdoc/>
    protected override StampedBuffer Take(Random random)
    {
        int length = s_lengths[random.Next(s_lengths.Length)];
        bool exact = random.Next(20) == 0;
        long[] array = Rent(length, exact);

        // At its cap, a pool hands out up to twice what it would allocate: the next size class, which is a power of two at most.
        int longest = 2 * Math.Max(16, (int)BitOperations.RoundUpToPowerOf2((uint)length));
        Require.That(
            exact ? array.Length == length : array.Length >= length && array.Length <= longest,
            $"An array of {array.Length} was rented for {length}.");
        return StampedBuffer.Mark(array);
    }

    /// <inheritdoc/>
    protected override void GiveBack(StampedBuffer owned, Random random) => owned.Return(pool, clear: random.Next(3) == 0);

    /// <inheritdoc/>
    protected override void Use(Random random)
    {
        long mark = random.NextInt64();
        using BufferLease<long> outer = pool.Lease(100);
        outer.Span.Fill(mark);
        using (BufferLease<long> inner = pool.Lease(100))
        {
            inner.Span.Fill(~mark);
        }

        Require.That(!outer.Span.ContainsAnyExcept(mark), "Someone wrote into a leased buffer.");
    }

    /// <inheritdoc/>
    protected override void VerifyEnd()
    {
        BufferPoolStatistics end = pool.GetStatistics();
        Require.That(end.Rented > 0, "The storm rented nothing.");
        Require.Equal((0, end.Rented), (end.InUseBytes, end.Returned), "Bytes in use and buffers returned, at the end");
        pool.Core.Validate();
        pool.Trim();
        Require.Equal(0, pool.GetStatistics().RetainedBytes, "Bytes retained after a trim");
        Require.Equal(0, pool.Core.Budget.Granted, "Bytes granted after a trim");
    }
}
