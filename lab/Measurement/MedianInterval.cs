using Perfolizer.Mathematics.Distributions.DiscreteDistributions;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A median and the interval that contains the true median with at least 95 % probability. The interval is between two order statistics
/// chosen by the binomial distribution, so it assumes nothing about the shape of the noise. With fewer than six values no such pair exists
/// and the interval is the whole range.
/// </summary>
internal readonly record struct MedianInterval(double Median, double Low, double High)
{
    private const double Tail = 0.025;

    public static MedianInterval Of(IReadOnlyList<double> values)
    {
        ArgumentOutOfRangeException.ThrowIfZero(values.Count, nameof(values));

        double[] sorted = [.. values.Order()];
        int skipped = SkippedAtEachEnd(sorted.Length);
        double median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
        return new MedianInterval(median, sorted[skipped], sorted[sorted.Length - 1 - skipped]);
    }

    /// <summary>
    /// Returns how many of the smallest and of the largest values are outside the interval: the most for which the true median is beyond
    /// them with a probability of at most 2.5 % on each side.
    /// </summary>
    public static int SkippedAtEachEnd(int count)
    {
        var below = new BinomialDistribution(count, 0.5);
        int skipped = 0;
        while (skipped + 1 < count / 2 && below.Cdf(skipped + 1) <= Tail)
        {
            skipped++;
        }

        return skipped;
    }
}
