using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Strips;

/// <summary>The words of the strip picture: for its parts, and for screen readers.</summary>
internal static class StripText
{
    public const string Less = "Tarn takes less";
    public const string More = "Tarn takes more";

    /// <summary>The whole picture in sentences.</summary>
    public static string Describe(IEnumerable<SubjectOutline> subjects)
    {
        var parts = subjects.Where(subject => subject.Summary.Count > 0).Select(subject => $" {subject.Title}: {subject.Summary.Words}.");
        return "Each dot is a comparison at its ratio, ours ÷ peer, on a logarithmic axis with equal in the middle." + string.Concat(parts);
    }

    /// <summary>The description of a dot: <c>Eight deep, 1 KiB, against ArrayPool.Shared: 0.21×, win</c>.</summary>
    public static string Describe(Comparison comparison)
    {
        var against = comparison.Title.Contains(comparison.Peer, StringComparison.Ordinal) ? "" : $", against {comparison.Peer}";
        return $"{comparison.Title}{against}: {Quantity.Ratio(comparison.Ratio)}, {ComparisonWords.Word(comparison)}";
    }

    public static string Tick(double tick) => tick switch { 1 => "equal", > 1 => $"{tick:0}×", _ => $"1/{1 / tick:0}" };
}
