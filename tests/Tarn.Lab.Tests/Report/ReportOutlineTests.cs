using Tarn.Lab.Experiments;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Report;

public class ReportOutlineTests
{
    [Fact]
    public void Every_experiment_belongs_to_a_subject() =>
        Assert.All(Catalogue.All, experiment => Assert.True(Subjects.OfExperiment(experiment.Id) is not null, experiment.Id));

    [Theory]
    [InlineData("streams-bulk-256b", "Streams")]
    [InlineData("stream-threads-2", "Streams")]
    [InlineData("native-memory-growth-tcmalloc", "Native heap")]
    [InlineData("copy", "Copying")]
    [InlineData("copying-2", null)]
    [InlineData("my-copy-2", null)]
    public void The_subject_of_a_comparison_is_that_of_the_experiment_its_id_begins_with(string id, string? subject) =>
        Assert.Equal(subject, Subjects.OfComparison(id));

    [Fact]
    public void Subjects_stand_in_reading_order_and_lose_no_comparison()
    {
        var report = Report(["copy", "single", "mine"], ("copy-1", "c"), ("single-1", "s"), ("mine-1", "m"), ("unknown-1", "u"));

        var outline = ReportOutline.Of(report);

        Assert.Equal(["Array pool", "Copying", Subjects.Other], outline.Select(subject => subject.Title));
        Assert.Equal(report.Comparisons.OrderBy(c => c.Id), outline.SelectMany(subject => subject.Comparisons).OrderBy(c => c.Id));
        Assert.Equal(["u", "mine"], outline[2].Experiments.Select(experiment => experiment.Title));
    }

    [Fact]
    public void A_comparison_with_an_unknown_id_stays_with_its_group()
    {
        var report = Report(["native-pair"], ("native-constant-1", "one thread"), ("native-pair-1", "one thread"));

        var experiment = Assert.Single(Assert.Single(ReportOutline.Of(report)).Experiments);

        Assert.Equal("native-pair", experiment.Id);
        Assert.Equal(2, experiment.Comparisons.Count);
    }

    [Fact]
    public void The_longest_id_that_fits_is_the_experiment()
    {
        var report = Report(["native", "native-pair"], ("native-pair-1", "a"), ("native-1", "b"));

        var experiments = ReportOutline.Of(report).SelectMany(subject => subject.Experiments).ToDictionary(e => e.Id, e => e.Comparisons);

        Assert.Equal("native-pair-1", Assert.Single(experiments["native-pair"]).Id);
        Assert.Equal("native-1", Assert.Single(experiments["native"]).Id);
    }

    [Fact]
    public void A_summary_has_the_median_and_counts_only_measured_comparisons()
    {
        var summary = RatioSummary.Of([.. Ratios(4, 1, 0.5, 0.25), SampleReport.Compare("n", double.NaN)]);

        Assert.Equal(4, summary.Count);
        Assert.Equal((2, 1, 1), (summary.Wins, summary.Same, summary.Losses));
        Assert.Equal(0.75, summary.Median, 6);
        Assert.Equal(0.4375, summary.LowerQuartile, 6);
        Assert.Equal((0.25, 4.0), (summary.Lowest, summary.Highest));
        Assert.Equal("4 comparisons, median 0.75×, 1 loss", summary.Words);
        Assert.Equal("", RatioSummary.Of([]).Words);
    }

    [Fact]
    public void Losses_are_grouped_by_subject_the_worst_first()
    {
        var report = Report([], ("single-1", "s")) with
        {
            Comparisons =
            [
                .. Ratios(1.2, 1.5, 0.5, 1.08).Select((c, i) => c with { Id = $"single-{i}" }),
                SampleReport.Compare("ring-1", 7, group: "r"),
                SampleReport.Compare("streams-1", 1.06, group: "t"),
                SampleReport.Compare("copy-1", 3, group: "c", spread: 0.9),
            ],
        };

        var losses = LossList.Of(ReportOutline.Of(report));

        Assert.Equal(["Shared memory", "Array pool", "Streams"], losses.Select(list => list.Subject.Title));
        Assert.Equal([1.5, 1.2], losses[1].Worth.Select(c => c.Ratio));
        Assert.Equal([1.08], losses[1].Rest.Select(c => c.Ratio));
        Assert.Equal("1 more, 1.08×", losses[1].RestWords);
        Assert.Empty(losses[2].Worth);
        Assert.Equal("1 loss, 1.06×", losses[2].RestWords);
    }

    [Fact]
    public void Many_losses_of_a_subject_are_folded_beyond_the_fifth()
    {
        var report = Report([]) with { Comparisons = [.. Ratios(2, 3, 4, 5, 6, 7, 8).Select((c, i) => c with { Id = $"single-{i}" })] };

        var list = Assert.Single(LossList.Of(ReportOutline.Of(report)));

        Assert.Equal([8, 7, 6, 5, 4], list.Worth.Select(c => c.Ratio));
        Assert.Equal("2 more, at most 3.00×", list.RestWords);
    }

    [Fact]
    public void Missed_targets_are_listed_the_farthest_first_with_how_far()
    {
        Figure Bounded(string id, double value, double bound) => new() { Id = id, Title = id, Value = value, Unit = "B", Bound = bound };
        var report = Report([]) with
        {
            Comparisons =
            [
                SampleReport.Compare("single-1", 0.55, 0.5),
                SampleReport.Compare("single-2", 0.5, 0.5),
                SampleReport.Compare("ring-1", 3, 1, "r"),
            ],
            Figures =
            [
                Bounded("idle-a", 110_000, 100_000), Bounded("idle-b", 100, 100), Bounded("idle-c", 8, 0), Bounded("x", double.NaN, 1),
            ],
        };

        var missed = MissedTarget.Of(report, ReportOutline.Of(report));

        Assert.Equal(["idle-c", "ring-1", "single-1", "idle-a"], missed.Select(target => target.Title));
        Assert.Equal(["–", "+200 %", "+10.0 %", "+10.0 %"], missed.Select(target => target.Excess));
        Assert.Equal(["Array pool", "Shared memory", "Array pool", "Array pool"], missed.Select(target => target.Subject));
        Assert.Equal(6, MissedTarget.CountTargets(report));
    }

    private static IEnumerable<Comparison> Ratios(params double[] ratios) =>
        ratios.Select(ratio => SampleReport.Compare($"r{ratio}", ratio));

    private static LabReport Report(string[] sections, params (string Id, string Group)[] comparisons) => SampleReport.Empty() with
    {
        Sections = [.. sections.Select(id => new Section { Id = id, Title = id, Text = "" })],
        Comparisons = [.. comparisons.Select(c => SampleReport.Compare(c.Id, 0.5, group: c.Group))],
    };
}
