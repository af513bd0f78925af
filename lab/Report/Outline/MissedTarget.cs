using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Outline;

/// <summary>A target of the project that the run exceeded.</summary>
/// <param name="Comparison">The comparison's id; <see langword="null"/> for a figure that stands alone.</param>
internal sealed record MissedTarget(string Title, string Subject, string Unit, double Target, double Measured, string? Comparison)
{
    /// <summary>Measured ÷ target; infinite where the target is zero.</summary>
    public double Quotient => Measured / Target;

    /// <summary><c>+12.4 %</c>, <c>+227 %</c>; nothing where the target is zero.</summary>
    public string Excess => ((Quotient - 1) * 100) switch
    {
        var percent when !double.IsFinite(percent) => Quantity.Missing,
        < 0.05 => "< +0.1 %",
        < 99.95 and var percent => $"+{percent:0.0} %",
        var percent => $"+{percent:#,0} %",
    };

    /// <summary>The number of targets that the run was compared with.</summary>
    public static int CountTargets(LabReport report) =>
        report.Comparisons.Count(comparison => comparison.Target is not null && ComparisonWords.IsMeasured(comparison))
        + report.Figures.Count(figure => figure.Bound is not null && double.IsFinite(figure.Value));

    /// <summary>Every target missed, the farthest first.</summary>
    public static IReadOnlyList<MissedTarget> Of(LabReport report, IReadOnlyList<SubjectOutline> subjects)
    {
        var comparisons =
            from subject in subjects
            from comparison in subject.Comparisons
            where ComparisonWords.IsMeasured(comparison) && comparison.MeetsTarget == false
            select new MissedTarget(comparison.Title, subject.Title, "ratio", comparison.Target!.Value, comparison.Ratio, comparison.Id);
        var figures = report.Figures
            .Where(figure => double.IsFinite(figure.Value) && figure.Value > figure.Bound)
            .Select(figure => new MissedTarget(
                figure.Title, Subjects.OfComparison(figure.Id) ?? Subjects.Other, figure.Unit, figure.Bound!.Value, figure.Value, null));
        return [.. comparisons.Concat(figures).OrderByDescending(missed => missed.Quotient)];
    }
}
