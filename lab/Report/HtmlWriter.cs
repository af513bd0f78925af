using Tarn.Lab.Model;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Page;

namespace Tarn.Lab.Report;

/// <summary>
/// The report as one self-contained page. It is read from the top: verdict and every comparison at a glance, the losses, then subject
/// by subject with the details folded, what changed since the baseline, the missed targets, and how it was measured.
/// </summary>
internal static class HtmlWriter
{
    public static string Write(LabReport report) => PageShell.Write(
        $"Tarn lab: {report.Run.Mode} run of {report.Run.StartedAt:yyyy-MM-dd}",
        LabStyle.Css,
        [StripScript.JavaScript, FoldScript.JavaScript],
        html => WriteBody(html, report));

    private static void WriteBody(Markup html, LabReport report)
    {
        var subjects = ReportOutline.Of(report);
        VerdictPart.Write(html, report, subjects);
        LossesPart.Write(html, subjects);
        var ours = OurNames(report);
        var axis = RatioAxis.For(report.Comparisons);
        foreach (var subject in subjects)
        {
            SubjectPart.Write(html, subject, axis, ours);
        }

        ChangesPart.Write(html, report.Changes);
        TargetsPart.Write(html, MissedTarget.Of(report, subjects));
        RunPart.Write(html, report.Run);
    }

    /// <summary>The names of our side in the run. Rows of tables with one of these names are highlighted.</summary>
    private static HashSet<string> OurNames(LabReport report) =>
    [
        .. report.Comparisons.Select(c => c.Ours),
        .. report.Sections.SelectMany(s => s.Charts).SelectMany(c => c.Series).Where(s => s.Role == SeriesRole.Ours).Select(s => s.Name),
    ];
}
