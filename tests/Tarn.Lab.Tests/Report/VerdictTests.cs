using Tarn.Lab.Report.Facts;
using Tarn.Lab.Results;

namespace Tarn.Lab.Tests.Report;

public class VerdictTests
{
    [Fact]
    public void Says_how_many_were_won_lost_and_neither()
    {
        var verdict = Of(SampleReport.Compare("a", 0.5), SampleReport.Compare("b", 1.5), SampleReport.Compare("c", 1.0), SampleReport.Compare("d", 0.7));

        Assert.Equal("Tarn wins 2 of 4 comparisons, loses 1, and shows no difference in 1.", verdict.Headline);
    }

    [Fact]
    public void Names_the_best_and_the_worst_with_how_much()
    {
        var verdict = Of(SampleReport.Compare("a", 0.5, title: "Middling"), SampleReport.Compare("b", 2.4, title: "Slow one", unit: "B"), SampleReport.Compare("c", 0.18, title: "Quick one"));

        Assert.Contains("Best: Quick one, BufferPool<byte> against ArrayPool<byte>.Shared, 82 % less time.", verdict.Sentences);
        Assert.Contains("Worst: Slow one, BufferPool<byte> against ArrayPool<byte>.Shared, 2.4 times the memory.", verdict.Sentences);
    }

    [Fact]
    public void Without_a_loss_the_closest_is_named_instead_of_a_worst()
    {
        var verdict = Of(SampleReport.Compare("a", 0.5), SampleReport.Compare("b", 0.9, title: "Near"));

        Assert.Equal("Tarn wins all 2 comparisons.", verdict.Headline);
        Assert.Contains("Closest: Near, BufferPool<byte> against ArrayPool<byte>.Shared, 10 % less time.", verdict.Sentences);
        Assert.DoesNotContain(verdict.Sentences, s => s.StartsWith("Worst", StringComparison.Ordinal));
    }

    [Fact]
    public void Names_every_missed_target()
    {
        var verdict = Of(SampleReport.Compare("a", 1.31, 1.2, title: "First"), SampleReport.Compare("b", 0.9, 0.7, title: "Second"), SampleReport.Compare("c", 0.5, 0.6), SampleReport.Compare("d", 0.5));

        Assert.Contains("2 of 3 targets missed: First (1.31×, target 1.20×); Second (0.90×, target 0.70×).", verdict.Sentences);
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
        Assert.Equal("not measured", Verdict.Word(broken));
        Assert.Equal("open", Verdict.TargetWord(broken));
    }

    [Theory]
    [InlineData(0.61, 0.02, "39 % less time")]
    [InlineData(1.31, 0.02, "31 % more time")]
    [InlineData(0.98, 0.03, "the same time within the interval")]
    [InlineData(0.0021, 0.02, "99.79 % less time")]
    public void Differences_in_words(double ratio, double spread, string expected) =>
        Assert.Equal(expected, Verdict.Difference(SampleReport.Compare("a", ratio, spread: spread)));

    [Fact]
    public void Changes_are_counted_by_kind() =>
        Assert.Equal("Against the baseline: 1 better, 1 worse, 1 no difference, 1 added, 1 removed.", Verdict.Summary(SampleReport.Build().Changes));

    private static Verdict Of(params Comparison[] comparisons) => Verdict.Of(SampleReport.Empty() with { Comparisons = comparisons });
}
