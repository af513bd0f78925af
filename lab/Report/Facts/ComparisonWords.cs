using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Facts;

/// <summary>The words for a comparison, or a number of them: the same on the page, in the text and in the terminal.</summary>
internal static class ComparisonWords
{
    /// <summary>Whether it has a ratio.</summary>
    public static bool IsMeasured(Comparison comparison) =>
        double.IsFinite(comparison.Ratio) && comparison.Ratio > 0;

    /// <summary>The outcome in a word; the model treats a comparison without a ratio as no difference, but the report must not.</summary>
    public static string Word(Comparison comparison) => !IsMeasured(comparison) ? "not measured" : comparison.Outcome switch
    {
        Outcome.Win => "win",
        Outcome.Loss => "loss",
        _ => "no difference",
    };

    /// <summary>The word for the target. A comparison without a ratio has neither met nor missed it.</summary>
    public static string TargetWord(Comparison comparison) =>
        comparison.Target is null ? "" : !IsMeasured(comparison) ? "open" : comparison.MeetsTarget == true ? "met" : "missed";

    /// <summary>The size of the difference in words: <c>40 % less time</c>, <c>2.5 times the memory</c>.</summary>
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

    /// <summary><c>1 comparison</c>, <c>2 comparisons</c>.</summary>
    public static string Count(int count, string noun) => count == 1 ? $"1 {noun}" : $"{count} {noun}s";

    private static string Percent(double share) => share > 0.995
        ? $"{share * 100:0.##} %"
        : $"{share * 100:0.#} %";
}
