using Tarn.Lab.Baseline;
using Tarn.Lab.Model;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Baseline;

public class ChangeFinderTests
{
    [Fact]
    public void A_lower_ratio_is_better_and_a_higher_one_worse_when_the_intervals_are_apart()
    {
        Assert.Equal(ChangeKind.Better, ChangeFinder.Judge(Ratio(0.50, 0.49, 0.51), Ratio(0.40, 0.39, 0.41)));
        Assert.Equal(ChangeKind.Worse, ChangeFinder.Judge(Ratio(0.40, 0.39, 0.41), Ratio(0.50, 0.49, 0.51)));
    }

    [Fact]
    public void Intervals_that_overlap_or_touch_are_no_difference_however_far_the_medians_are_apart()
    {
        Assert.Equal(ChangeKind.NoDifference, ChangeFinder.Judge(Ratio(0.5, 0.3, 0.7), Ratio(1.5, 0.69, 1.6)));
        Assert.Equal(ChangeKind.NoDifference, ChangeFinder.Judge(Ratio(1.5, 0.69, 1.6), Ratio(0.5, 0.3, 0.7)));
        Assert.Equal(ChangeKind.NoDifference, ChangeFinder.Judge(Ratio(0.5, 0.4, 0.6), Ratio(0.7, 0.6, 0.8)));
    }

    [Theory]
    [InlineData(1.049, ChangeKindName.NoDifference)]
    [InlineData(1.051, ChangeKindName.Worse)]
    [InlineData(0.951, ChangeKindName.NoDifference)]
    [InlineData(0.949, ChangeKindName.Better)]
    [InlineData(1.0, ChangeKindName.NoDifference)]
    public void Less_than_five_per_cent_is_no_difference_however_sure(double now, string kind)
    {
        Assert.Equal(kind, ChangeFinder.Judge(Ratio(1, 1, 1), Ratio(now, now, now)).ToString());
    }

    [Fact]
    public void A_ratio_that_is_no_number_is_no_difference()
    {
        var nothing = Ratio(double.NaN, double.NaN, double.NaN);

        Assert.Equal(ChangeKind.NoDifference, ChangeFinder.Judge(Ratio(0.5, 0.4, 0.6), nothing));
        Assert.Equal(ChangeKind.NoDifference, ChangeFinder.Judge(nothing, Ratio(0.5, 0.4, 0.6)));
    }

    [Fact]
    public void New_figures_are_added_and_those_missing_from_a_repeated_group_are_removed()
    {
        var before = Report(
            SampleReport.Compare("same", 0.5), SampleReport.Compare("gone", 0.6), SampleReport.Compare("not-run", 0.7, group: "Memory"));
        var now = Report(SampleReport.Compare("new", 0.8), SampleReport.Compare("same", 0.3));

        Assert.Equal(
            [
                new Change { Id = "new", Title = "new", Before = 0, Now = 0.8, Unit = "ratio", Kind = ChangeKind.Added },
                new Change { Id = "same", Title = "same", Before = 0.5, Now = 0.3, Unit = "ratio", Kind = ChangeKind.Better },
                new Change { Id = "gone", Title = "gone", Before = 0.6, Now = 0, Unit = "ratio", Kind = ChangeKind.Removed },
            ],
            ChangeFinder.Find(before, now));
    }

    [Fact]
    public void A_run_beside_itself_shows_no_difference_anywhere()
    {
        var report = SampleReport.Build();

        var changes = ChangeFinder.Find(report, report);

        Assert.Equal(report.Comparisons.Select(comparison => comparison.Id), changes.Select(change => change.Id));
        Assert.All(changes, change => Assert.Equal(ChangeKind.NoDifference, change.Kind));
    }

    private static LabReport Report(params Comparison[] comparisons) => SampleReport.Empty() with { Comparisons = comparisons };

    private static Comparison Ratio(double ratio, double low, double high) =>
        SampleReport.Compare("id", ratio) with { RatioLow = low, RatioHigh = high };

    private static class ChangeKindName
    {
        public const string NoDifference = nameof(ChangeKind.NoDifference);
        public const string Better = nameof(ChangeKind.Better);
        public const string Worse = nameof(ChangeKind.Worse);
    }
}
