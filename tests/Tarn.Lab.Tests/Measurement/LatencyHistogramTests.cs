using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class LatencyHistogramTests
{
    private static readonly double[] s_shares = [0.0001, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 1];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Percentiles_are_those_of_a_sorted_list_but_for_the_width_of_a_bucket(int seed)
    {
        var random = new Random(seed);
        long[] values = [.. Enumerable.Range(0, 20_000).Select(_ => Draw(random))];
        var histogram = new LatencyHistogram();
        foreach (long value in values)
        {
            histogram.Record(value);
        }

        Array.Sort(values);
        Assert.Equal(values.Length, histogram.Count);
        Assert.Equal(values[^1], histogram.Longest);
        Assert.All(s_shares, share =>
        {
            long exact = values[(int)Math.Ceiling(share * values.Length) - 1];
            Assert.InRange(histogram.Percentile(share), exact, exact + ((double)exact / LatencyHistogram.BucketsPerDoubling));
        });
    }

    [Fact]
    public void Short_times_are_exact()
    {
        var histogram = new LatencyHistogram();
        for (int value = 0; value < 2 * LatencyHistogram.BucketsPerDoubling; value++)
        {
            histogram.Record(value);
        }

        Assert.Equal(0, histogram.Percentile(0.001));
        Assert.Equal(63, histogram.Percentile(0.5));
        Assert.Equal(127, histogram.Percentile(1));
    }

    [Fact]
    public void Buckets_follow_each_other_without_a_gap_and_hold_every_time()
    {
        long previous = -1;
        int last = LatencyHistogram.BucketOf(long.MaxValue);
        for (int bucket = 0; bucket <= last; bucket++)
        {
            Assert.Equal(bucket, LatencyHistogram.BucketOf(previous + 1));
            previous = LatencyHistogram.LargestOf(bucket);
            Assert.Equal(bucket, LatencyHistogram.BucketOf(previous));
        }

        Assert.Equal(long.MaxValue, previous);
    }

    [Fact]
    public void Merged_histograms_are_the_histogram_of_all_values()
    {
        var random = new Random(5);
        var all = new LatencyHistogram();
        var merged = new LatencyHistogram();
        for (int part = 0; part < 4; part++)
        {
            var one = new LatencyHistogram();
            for (int i = 0; i < 1_000 * part; i++)
            {
                long value = Draw(random);
                one.Record(value);
                all.Record(value);
            }

            merged.Add(one);
        }

        Assert.Equal((all.Count, all.Longest), (merged.Count, merged.Longest));
        Assert.Equal(s_shares.Select(all.Percentile), s_shares.Select(merged.Percentile));
    }

    [Fact]
    public void A_cleared_one_has_no_values_and_a_clock_that_goes_back_counts_as_none_passed()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(100);
        histogram.Clear();

        Assert.Equal((0, 0), (histogram.Count, histogram.Longest));
        Assert.True(double.IsNaN(histogram.Percentile(0.5)));

        histogram.Record(-5);
        histogram.Record(long.MaxValue);

        Assert.Equal(0, histogram.Percentile(0.5));
        Assert.Equal(long.MaxValue, histogram.Percentile(1), 1e3);
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int value = 0; value < 10_000; value++)
        {
            histogram.Record(value * 997L);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    /// <summary>Every doubling up to a second is as likely as any other.</summary>
    private static long Draw(Random random) => (long)Math.Pow(2, random.NextDouble() * 30);
}
