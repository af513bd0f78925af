using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Outline;

/// <summary>
/// Arranges a report by subject. A comparison belongs to the experiment that its id begins with. Where there is none, it belongs to
/// the experiment of another comparison of its group.
/// </summary>
internal static class ReportOutline
{
    /// <summary>The subjects that have something to show, in reading order.</summary>
    public static IReadOnlyList<SubjectOutline> Of(LabReport report)
    {
        var home = SectionOfEach(report);
        var experiments = new List<(string Subject, ExperimentOutline Experiment)>();
        var homeless = report.Comparisons.Where(comparison => home(comparison) is null);
        foreach (var group in homeless.GroupBy(comparison => comparison.Group))
        {
            var subject = group.Select(comparison => Subjects.OfComparison(comparison.Id)).FirstOrDefault(title => title is not null);
            experiments.Add((subject ?? Subjects.Other, new(group.Key, group.Key, null, [.. group])));
        }

        foreach (var section in report.Sections)
        {
            var comparisons = report.Comparisons.Where(comparison => ReferenceEquals(home(comparison), section));
            var subject = Subjects.OfExperiment(section.Id) ?? Subjects.Other;
            experiments.Add((subject, new(section.Id, section.Title, section, [.. comparisons])));
        }

        return
        [
            .. Subjects.Titles
                .Select(title => new SubjectOutline(title, [.. experiments.Where(e => e.Subject == title).Select(e => e.Experiment)]))
                .Where(subject => subject.Experiments.Count > 0),
        ];
    }

    private static Func<Comparison, Section?> SectionOfEach(LabReport report)
    {
        Section? ById(Comparison comparison) =>
            report.Sections.Where(section => Subjects.Begins(comparison.Id, section.Id)).MaxBy(section => section.Id.Length);

        var byId = new Dictionary<Comparison, Section?>(ReferenceEqualityComparer.Instance);
        foreach (var comparison in report.Comparisons)
        {
            byId[comparison] = ById(comparison);
        }

        var byGroup = report.Comparisons
            .Where(comparison => byId[comparison] is not null)
            .GroupBy(comparison => comparison.Group)
            .ToDictionary(group => group.Key, group => byId[group.First()]);
        return comparison => byId[comparison] ?? byGroup.GetValueOrDefault(comparison.Group);
    }
}
