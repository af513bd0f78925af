using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Measurement;

public class RoundSamplesTests
{
    [Fact]
    public void The_ratio_is_taken_round_by_round_not_from_the_two_medians()
    {
        var samples = new RoundSamples(["ours", "peer"], [[1, 2, 30], [10, 2, 3]]);

        Assert.Equal(new MedianInterval(1, 0.1, 10), samples.Ratio(0, 1));
        Assert.Equal(2, samples.Median(0));
        Assert.Equal(3, samples.Median(1));
    }

    [Fact]
    public void A_machine_that_slows_down_for_both_changes_no_ratio()
    {
        var samples = new RoundSamples(["ours", "peer"], [[1, 2, 4, 8, 16, 32], [2, 4, 8, 16, 32, 64]]);

        Assert.Equal(new MedianInterval(0.5, 0.5, 0.5), samples.Ratio(0, 1));
        Assert.Equal(new MedianInterval(2, 2, 2), samples.Ratio(1, 0));
    }

    [Fact]
    public void The_fastest_is_the_one_of_the_lowest_median_among_those_asked_for()
    {
        // Contender 1 has the single fastest round, contender 0 the lowest median, 2 and 3 the same one.
        var samples = new RoundSamples(["a", "b", "c", "d"], [[2, 2, 2], [1, 9, 9], [3, 3, 90], [3, 3, 3]]);

        Assert.Equal(0, samples.Fastest(0, 1, 2, 3));
        Assert.Equal(2, samples.Fastest(1, 2));
        Assert.Equal(1, samples.Fastest(1));
        Assert.Equal(3, samples.Fastest(3, 2));
        Assert.Equal(2, samples.Fastest(2, 3));
    }

    [Fact]
    public void A_comparison_carries_names_medians_interval_and_target()
    {
        var samples = new RoundSamples(["other", "ours", "peer"], [[0, 0, 0], [10, 20, 30], [20, 20, 20]]);

        var comparison = samples.Compare(1, 2, "id-1", "Group", "Title", 0.6);

        Assert.Equal(
            ("id-1", "Group", "Title", "ours", "peer", "ns"),
            (comparison.Id, comparison.Group, comparison.Title, comparison.Ours, comparison.Peer, comparison.Unit));
        Assert.Equal(
            (20, 20, 1, 0.5, 1.5),
            (comparison.OursValue, comparison.PeerValue, comparison.Ratio, comparison.RatioLow, comparison.RatioHigh));
        Assert.Equal(3, comparison.Rounds);
        Assert.Equal(0.6, comparison.Target);
    }

    [Fact]
    public void Ours_is_compared_with_those_peers_that_were_measured()
    {
        var samples = new RoundSamples(["peer", "ours", "tcmalloc"], [[20, 20, 20], [10, 10, 10], [5, 5, 5]]);

        Comparison[] comparisons =
            [.. samples.CompareWith("ours", ["tcmalloc", "absent", "peer"], "id", "Group", "Title", peer => peer == "peer" ? 0.5 : null)];

        Assert.Equal(["id-tcmalloc", "id-peer"], comparisons.Select(comparison => comparison.Id));
        Assert.Equal(["Title, against tcmalloc", "Title, against peer"], comparisons.Select(comparison => comparison.Title));
        Assert.Equal([2, 0.5], comparisons.Select(comparison => comparison.Ratio));
        Assert.Equal([null, 0.5], comparisons.Select(comparison => comparison.Target));
        Assert.Equal(-1, samples.IndexOf("absent"));
        Assert.Equal(2, samples.IndexOf("tcmalloc"));
    }
}
