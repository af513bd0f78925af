using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Tests.Report;

public class VerdictTests
{
    [Fact]
    public void Says_how_many_were_won_lost_and_neither()
    {
        var verdict = Of(
            SampleReport.Compare("a", 0.5), SampleReport.Compare("b", 1.5), SampleReport.Compare("c", 1.0), SampleReport.Compare("d", 0.7));

        Assert.Equal("Tarn wins 2 of 4 comparisons, loses 1, and shows no difference in 1.", verdict.Headline);
    }

    [Fact]
    public void Says_where_the_middle_of_the_ratios_lies()
    {
        double[] ratios = [0.1, 0.2, 0.4, 0.8, 1.6];
        var verdict = Of([.. ratios.Select(ratio => SampleReport.Compare($"a{ratio}", ratio))]);

        Assert.Equal("The median ratio, ours ÷ peer, is 0.40×; the middle half lies between 0.20× and 0.80×.", verdict.Sentences[0]);
    }

    [Fact]
    public void Says_where_the_losses_lie_the_most_first()
    {
        var verdict = Of(
            SampleReport.Compare("single-1", 0.5),
            SampleReport.Compare("ring-1", 1.5, group: "r"),
            SampleReport.Compare("copy-1", 9, group: "c"),
            SampleReport.Compare("streams-1", 1.2, group: "s"),
            SampleReport.Compare("streams-2", 1.3, group: "s"));

        Assert.Equal("The losses lie in Streams (2), Copying (1) and Shared memory (1).", verdict.Sentences[1]);
    }

    [Fact]
    public void Without_a_loss_the_closest_is_named()
    {
        var verdict = Of(SampleReport.Compare("a", 0.5), SampleReport.Compare("b", 0.9, title: "Near"));

        Assert.Equal("Tarn wins all 2 comparisons.", verdict.Headline);
        Assert.Contains("Nothing is a loss. The closest is Near, against ArrayPool<byte>.Shared: 10 % less time.", verdict.Sentences);
    }

    [Fact]
    public void A_ratio_above_one_within_its_interval_is_not_among_the_losses()
    {
        var verdict = Of(SampleReport.Compare("single-1", 0.5), SampleReport.Compare("single-2", 1.5, spread: 0.6));

        Assert.DoesNotContain(verdict.Sentences, sentence => sentence.StartsWith("The losses", StringComparison.Ordinal));
    }

    [Fact]
    public void Counts_the_missed_targets_of_comparisons_and_figures()
    {
        Comparison[] comparisons =
            [SampleReport.Compare("a", 1.31, 1.2), SampleReport.Compare("b", 0.5, 0.6), SampleReport.Compare("c", 0.5)];
        Figure Bounded(double value) => new() { Id = $"f{value}", Title = "f", Value = value, Unit = "", Bound = 1 };
        var report = SampleReport.Empty() with { Comparisons = comparisons };

        Assert.Contains("1 of 2 targets is missed.", Verdict.Of(report).Sentences);
        Assert.Contains("2 of 4 targets are missed.", Verdict.Of(report with { Figures = [Bounded(1), Bounded(2)] }).Sentences);
    }

    [Fact]
    public void Says_when_all_targets_are_met() =>
        Assert.Contains("All 2 targets are met.", Of(SampleReport.Compare("a", 0.5, 0.6), SampleReport.Compare("b", 0.5, 0.5)).Sentences);

    [Fact]
    public void Nothing_compared_is_said_plainly()
    {
        var verdict = Of();

        Assert.Equal("This run compared nothing with a peer.", verdict.Headline);
        Assert.Empty(verdict.Sentences);
    }

    [Fact]
    public void A_ratio_that_is_not_a_number_is_counted_apart_and_called_no_outcome()
    {
        var broken = SampleReport.Compare("b", double.NaN, 0.5);
        var verdict = Of(SampleReport.Compare("a", 0.5), broken);

        Assert.Equal("Tarn wins the one comparison.", verdict.Headline);
        Assert.Contains("1 comparison could not be measured.", verdict.Sentences);
        Assert.Equal("not measured", ComparisonWords.Word(broken));
        Assert.Equal("open", ComparisonWords.TargetWord(broken));
    }

    [Theory]
    [InlineData(0.61, 0.02, "39 % less time")]
    [InlineData(1.31, 0.02, "31 % more time")]
    [InlineData(0.98, 0.03, "the same time within the interval")]
    [InlineData(0.0021, 0.02, "99.79 % less time")]
    public void Differences_in_words(double ratio, double spread, string expected) =>
        Assert.Equal(expected, ComparisonWords.Difference(SampleReport.Compare("a", ratio, spread: spread)));

    [Fact]
    public void Changes_are_counted_by_kind() =>
        Assert.Equal(
            "Against the baseline: 1 better, 1 worse, 1 no difference, 1 added, 1 removed.",
            ComparisonWords.Summary(SampleReport.Build().Changes));

    private static Verdict Of(params Comparison[] comparisons) => Verdict.Of(SampleReport.Empty() with { Comparisons = comparisons });
}
