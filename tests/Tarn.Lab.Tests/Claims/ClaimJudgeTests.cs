using Tarn.Lab.Claims;
using Tarn.Lab.Model;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Claims;

public class ClaimJudgeTests
{
    [Fact]
    public void The_worst_of_the_evidence_is_the_figure_and_decides()
    {
        var report = SampleReport.Empty() with
        {
            Comparisons = [SampleReport.Compare("a", 0.41, spread: 0), SampleReport.Compare("b", 0.55, spread: 0.5)],
        };

        var result = Assert.Single(ClaimJudge.Judge([Claim("c", 0.6, "a", "b")], report));

        Assert.Equal("c", result.Id);
        Assert.Equal("At most 0.55 of it.", result.Sentence);
        Assert.Equal("0.55", result.Figure);
        Assert.Equal(0.55, result.Value);
        Assert.Equal(0.6, result.Bound);
        Assert.True(result.Holds);
        Assert.Equal(
            [new ClaimEvidence("a", "a", 0.41, 0.41, 0.41), new ClaimEvidence("b", "b", 0.55, 0.55 * 0.5, 0.55 * 1.5)], result.Evidence);
    }

    [Theory]
    [InlineData(0.6, true)]
    [InlineData(0.6001, false)]
    [InlineData(double.NaN, false)]
    [InlineData(double.PositiveInfinity, false)]
    public void A_claim_holds_up_to_its_bound_and_not_beyond(double worst, bool holds)
    {
        var report = SampleReport.Empty() with
        {
            Comparisons = [SampleReport.Compare("a", 0.1), SampleReport.Compare("b", worst), SampleReport.Compare("c", 0.2)],
        };

        Assert.Equal(holds, Assert.Single(ClaimJudge.Judge([Claim("c", 0.6, "a", "b", "c")], report)).Holds);
    }

    [Fact]
    public void Figures_are_evidence_like_comparisons()
    {
        var report = SampleReport.Empty() with { Figures = [new Figure { Id = "f", Title = "Figure", Value = 24, Unit = "B" }] };

        var result = Assert.Single(ClaimJudge.Judge([Claim("c", 0, "f") with { Style = FigureStyle.Bytes }], report));

        Assert.False(result.Holds);
        Assert.Equal("24", result.Figure);
        Assert.Equal([new ClaimEvidence("f", "Figure", 24, 24, 24)], result.Evidence);
    }

    [Fact]
    public void A_claim_with_only_part_of_its_evidence_is_left_out()
    {
        var report = SampleReport.Empty() with { Comparisons = [SampleReport.Compare("a", 0.1), SampleReport.Compare("b", 0.2)] };

        var results =
            ClaimJudge.Judge([Claim("part", 1, "a", "missing"), Claim("whole", 1, "b", "a"), Claim("none", 1, "missing")], report);

        Assert.Equal("whole", Assert.Single(results).Id);
    }

    [Fact]
    public void What_a_full_run_measured_in_addition_counts_and_what_is_missing_does_not()
    {
        var report = SampleReport.Empty() with { Comparisons = [SampleReport.Compare("a", 0.1), SampleReport.Compare("b", 0.2)] };
        Claim claim = Claim("c", 1, "a") with { FullRunEvidence = ["a", "b", "missing"] };

        var result = Assert.Single(ClaimJudge.Judge([claim], report));

        Assert.Equal(0.2, result.Value);
        Assert.Equal(["a", "b"], result.Evidence.Select(piece => piece.Id));
    }

    private static Claim Claim(string id, double bound, params string[] evidence) => new()
    {
        Id = id,
        Sentence = "At most {0} of it.",
        Experiment = "single",
        Evidence = evidence,
        Bound = bound,
        Style = FigureStyle.Ratio,
    };
}
