using System.Numerics;

namespace Tarn.Traces;

/// <summary>Groups times by powers of two: bucket 0 holds 0 µs, and bucket k holds 2^(k-1) to 2^k - 1.</summary>
internal static class TimeBuckets
{
    internal static int Of(long microseconds) => 64 - BitOperations.LeadingZeroCount((ulong)microseconds);

    /// <summary>Draws a time of a bucket, all equally likely.</summary>
    internal static long Draw(int bucket, Random random) => bucket == 0 ? 0 : random.NextInt64(1L << (bucket - 1), 1L << bucket);
}
