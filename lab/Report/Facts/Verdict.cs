using Tarn.Lab.Results;

namespace Tarn.Lab.Report.Facts;

/// <summary>
/// What a run found, in plain sentences computed from its comparisons. The HTML page and the markdown open with the same words.
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

    /// <summary>The best and the worst by name, then the targets, then the baseline; each only where there is something to say.</summary>
    public IReadOnlyList<string> Sentences { get; }

    public static Verdict Of(LabReport report)
    {
        var measured = report.Comparisons.Where(IsMeasured).ToList();
        var sentences = new List<string>();
        AddExtremes(sentences, measured);
        AddTargets(sentences, measured);
        if (report.Comparisons.Count - measured.Count is > 0 and var unmeasured)
            sentences.Add($"{Count(unmeasured, "comparison")} could not be measured.");
        if (report.Changes.Count > 0)
            sentences.Add(Summary(report.Changes));
        return new Verdict(HeadlineOf(measured), sentences);
    }

    public static bool IsMeasured(Comparison comparison) =>
        double.IsFinite(comparison.Ratio) && comparison.Ratio > 0;

    /// <summary>The outcome in a word; the model calls a comparison without a ratio no difference, a reader must not.</summary>
    public static string Word(Comparison comparison) => !IsMeasured(comparison) ? "not measured" : comparison.Outcome switch
    {
        Outcome.Win => "win",
        Outcome.Loss => "loss",
        _ => "no difference",
    };

    /// <summary>What to say of the target; a comparison without a ratio has neither met nor missed it.</summary>
    public static string TargetWord(Comparison comparison) =>
        comparison.Target is null ? "" : !IsMeasured(comparison) ? "open" : comparison.MeetsTarget == true ? "met" : "missed";

    /// <summary>How much, for someone who does not want to do sums: <c>40 % less time</c>, <c>2.5 times the memory</c>.</summary>
    public static string Difference(Comparison comparison)
    {
        var what = comparison.Unit switch { "ns" => "time", "B" => "memory", _ => comparison.Unit };
        return comparison switch
        {
            _ when !IsMeasured(comparison) => "no ratio",
            { Outcome: Outcome.NoDifference } => $"the same {what} within the interval",
            { Ratio: >= 2 } => $"{comparison.Ratio:0.#} times the {what}",
            { Ratio: >= 1 } => $"{Percent(comparison.Ratio - 1)} more {what}",
            _ => $"{Percent(1 - comparison.Ratio)} less {what}",
        };
    }

    /// <summary><c>Against the baseline: 2 better, 1 worse, 40 no difference.</c></summary>
    public static string Summary(IReadOnlyList<Change> changes)
    {
        (ChangeKind Kind, string Word)[] words =
        [
            (ChangeKind.Better, "better"), (ChangeKind.Worse, "worse"), (ChangeKind.NoDifference, "no difference"),
            (ChangeKind.Added, "added"), (ChangeKind.Removed, "removed"),
        ];
        var parts = words.Select(w => (Count: changes.Count(c => c.Kind == w.Kind), w.Word)).Where(p => p.Count > 0);
        return $"Against the baseline: {string.Join(", ", parts.Select(p => $"{p.Count} {p.Word}"))}.";
    }

    private static string HeadlineOf(List<Comparison> measured)
    {
        if (measured.Count == 0)
            return "This run compared nothing with a peer.";

        var wins = measured.Count(c => c.Outcome == Outcome.Win);
        var losses = measured.Count(c => c.Outcome == Outcome.Loss);
        var same = measured.Count - wins - losses;
        if (wins == measured.Count)
            return measured.Count == 1 ? "Tarn wins the one comparison." : $"Tarn wins all {measured.Count} comparisons.";

        return $"Tarn wins {wins} of {Count(measured.Count, "comparison")}, loses {losses}, and shows no difference in {same}.";
    }

    private static void AddExtremes(List<string> sentences, List<Comparison> measured)
    {
        if (measured.Count == 0)
            return;

        var best = measured.MinBy(c => c.Ratio)!;
        var worst = measured.MaxBy(c => c.Ratio)!;
        if (best.Outcome == Outcome.Win)
            sentences.Add($"Best: {Name(best)}, {Difference(best)}.");
        if (worst.Outcome == Outcome.Loss)
            sentences.Add($"Worst: {Name(worst)}, {Difference(worst)}.");
        else if (!ReferenceEquals(worst, best))
            sentences.Add($"Closest: {Name(worst)}, {Difference(worst)}.");
    }

    private static void AddTargets(List<string> sentences, List<Comparison> measured)
    {
        var withTarget = measured.Where(c => c.Target is not null).ToList();
        if (withTarget.Count == 0)
            return;

        var missed = withTarget.Where(c => c.MeetsTarget == false).ToList();
        sentences.Add(missed.Count == 0
            ? withTarget.Count == 1 ? "The one target is met." : $"All {withTarget.Count} targets are met."
            : $"{missed.Count} of {Count(withTarget.Count, "target")} missed: " + string.Join("; ", missed.Select(MissedTarget)) + ".");
    }

    private static string MissedTarget(Comparison c) => $"{c.Title} ({Quantity.Ratio(c.Ratio)}, target {Quantity.Ratio(c.Target!.Value)})";

    private static string Name(Comparison c) => $"{c.Title}, {c.Ours} against {c.Peer}";

    private static string Count(int count, string noun) => count == 1 ? $"1 {noun}" : $"{count} {noun}s";

    private static string Percent(double share) => share > 0.995
        ? $"{share * 100:0.##} %"
        : $"{share * 100:0.#} %";
}
