using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Outline;

/// <summary>
/// The results of a run in plain sentences, computed from its comparisons. The HTML page and the markdown open with the same words.
/// </summary>
internal sealed class Verdict
{
    private Verdict(string headline, IReadOnlyList<string> sentences)
    {
        Headline = headline;
        Sentences = sentences;
    }

    /// <summary>How many were won, drawn and lost.</summary>
    public string Headline { get; }

    /// <summary>The median, the losses, the targets and the baseline; each only if it applies.</summary>
    public IReadOnlyList<string> Sentences { get; }

    public static Verdict Of(LabReport report)
    {
        var subjects = ReportOutline.Of(report);
        var measured = report.Comparisons.Where(ComparisonWords.IsMeasured).ToList();
        var sentences = new List<string>();
        AddMiddle(sentences, RatioSummary.Of(measured));
        AddLosses(sentences, LossList.Of(subjects), measured);
        AddTargets(sentences, MissedTarget.CountTargets(report), MissedTarget.Of(report, subjects).Count);
        if (report.Comparisons.Count - measured.Count is > 0 and var unmeasured)
        {
            sentences.Add($"{ComparisonWords.Count(unmeasured, "comparison")} could not be measured.");
        }

        if (report.Changes.Count > 0)
        {
            sentences.Add(ComparisonWords.Summary(report.Changes));
        }

        return new Verdict(HeadlineOf(measured), sentences);
    }

    private static string HeadlineOf(List<Comparison> measured)
    {
        if (measured.Count == 0)
        {
            return "This run compared nothing with a peer.";
        }

        var wins = measured.Count(c => c.Outcome == Outcome.Win);
        var losses = measured.Count(c => c.Outcome == Outcome.Loss);
        var same = measured.Count - wins - losses;
        if (wins == measured.Count)
        {
            return measured.Count == 1 ? "Tarn wins the one comparison." : $"Tarn wins all {measured.Count} comparisons.";
        }

        return $"Tarn wins {wins} of {ComparisonWords.Count(measured.Count, "comparison")}, loses {losses}, "
            + $"and shows no difference in {same}.";
    }

    private static void AddMiddle(List<string> sentences, RatioSummary summary)
    {
        if (summary.Count > 1)
        {
            sentences.Add(
                $"The median ratio, ours ÷ peer, is {Quantity.Ratio(summary.Median)}; "
                + $"the middle half lies between {Quantity.Ratio(summary.LowerQuartile)} and {Quantity.Ratio(summary.UpperQuartile)}.");
        }
    }

    private static void AddLosses(List<string> sentences, IReadOnlyList<LossList> losses, List<Comparison> measured)
    {
        if (measured.Count == 0)
        {
            return;
        }

        if (losses.Count == 0)
        {
            var closest = measured.MaxBy(comparison => comparison.Ratio)!;
            sentences.Add($"Nothing is a loss. The closest is {Name(closest)}: {ComparisonWords.Difference(closest)}.");
            return;
        }

        var places = losses.OrderByDescending(list => list.Count).Select(list => $"{list.Subject.Title} ({list.Count})").ToList();
        sentences.Add($"The losses lie in {Enumerate(places)}.");
    }

    private static void AddTargets(List<string> sentences, int targets, int missed)
    {
        if (targets > 0)
        {
            sentences.Add((targets, missed) switch
            {
                (1, 0) => "The one target is met.",
                (_, 0) => $"All {targets} targets are met.",
                _ => $"{missed} of {ComparisonWords.Count(targets, "target")} {(missed == 1 ? "is" : "are")} missed.",
            });
        }
    }

    private static string Name(Comparison c) =>
        c.Title.Contains(c.Peer, StringComparison.Ordinal) ? c.Title : $"{c.Title}, against {c.Peer}";

    private static string Enumerate(List<string> parts) =>
        parts.Count == 1 ? parts[0] : $"{string.Join(", ", parts[..^1])} and {parts[^1]}";
}
