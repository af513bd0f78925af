using System.Numerics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Counts of times in buckets whose width grows with the time, so that constant memory holds nanoseconds and seconds with the same relative
/// error. Recording is an increment: it allocates nothing and takes no lock. Each thread records in a histogram of its own.
/// </summary>
/// <remarks>
/// The idea is that of HdrHistogram: every doubling has the same number of buckets. A value below <see cref="BucketsPerDoubling"/> × 2 has
/// a bucket of its own.
/// </remarks>
internal sealed class LatencyHistogram
{
    /// <summary>Buckets in every doubling. A percentile exceeds the exact value by less than one part in this many.</summary>
    public const int BucketsPerDoubling = 1 << Precision;

    private const int Precision = 6;
    private const int Bits = 63;

    private readonly long[] _counts = new long[(Bits - Precision + 1) * BucketsPerDoubling];

    /// <summary>How many values were recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The largest value, exactly; 0 if there is none.</summary>
    public long Longest { get; private set; }

    /// <param name="value">Not negative: a clock that goes backwards counts as 0.</param>
    public void Record(long value)
    {
        value = Math.Max(value, 0);
        _counts[BucketOf(value)]++;
        Count++;
        Longest = Math.Max(Longest, value);
    }

    /// <summary>Adds the values of another histogram.</summary>
    public void Add(LatencyHistogram other)
    {
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            _counts[bucket] += other._counts[bucket];
        }

        Count += other.Count;
        Longest = Math.Max(Longest, other.Longest);
    }

    /// <summary>Removes all values.</summary>
    public void Clear()
    {
        Array.Clear(_counts);
        Count = 0;
        Longest = 0;
    }

    /// <summary>
    /// Returns a value that a share of all values does not exceed: the largest of the bucket that holds the exact percentile. Not a number
    /// if there are no values.
    /// </summary>
    /// <param name="share">Above 0, at most 1.</param>
    public double Percentile(double share)
    {
        if (Count == 0)
        {
            return double.NaN;
        }

        long rank = Math.Clamp((long)Math.Ceiling(share * Count), 1, Count);
        int bucket = 0;
        for (long seen = _counts[0]; seen < rank; seen += _counts[bucket])
        {
            bucket++;
        }

        return Math.Min(LargestOf(bucket), Longest);
    }

    /// <summary>Returns the bucket of a value.</summary>
    internal static int BucketOf(long value)
    {
        int shift = Math.Max(0, BitOperations.Log2((ulong)value) - Precision);
        return (shift << Precision) + (int)(value >> shift);
    }

    /// <summary>Returns the largest value of a bucket.</summary>
    internal static long LargestOf(int bucket)
    {
        int shift = Math.Max(0, (bucket >> Precision) - 1);
        return (((long)bucket - ((long)shift << Precision) + 1) << shift) - 1;
    }
}
