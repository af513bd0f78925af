using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Outline;

/// <summary>The losses of a subject, the worst first: those worth knowing, and the rest.</summary>
internal sealed record LossList(SubjectOutline Subject, IReadOnlyList<Comparison> Worth, IReadOnlyList<Comparison> Rest)
{
    public Comparison Worst => Worth.Count > 0 ? Worth[0] : Rest[0];

    public int Count => Worth.Count + Rest.Count;

    /// <summary>The text above the rest: their number and their largest ratio.</summary>
    public string RestWords =>
        $"{Rest.Count} {(Worth.Count > 0 ? "more" : Rest.Count == 1 ? "loss" : "losses")}, "
        + (Rest.Count == 1 ? Quantity.Ratio(Rest[0].Ratio) : $"at most {Quantity.Ratio(Rest[0].Ratio)}");

    /// <summary>Every subject with losses, the one with the worst loss first.</summary>
    public static IReadOnlyList<LossList> Of(IEnumerable<SubjectOutline> subjects) =>
    [
        .. subjects.Select(Of).Where(list => list.Count > 0).OrderByDescending(list => list.Worst.Ratio),
    ];

    private static LossList Of(SubjectOutline subject)
    {
        var losses = subject.Comparisons
            .Where(comparison => ComparisonWords.IsMeasured(comparison) && comparison.Outcome == Outcome.Loss)
            .OrderByDescending(comparison => comparison.Ratio)
            .ToList();
        var worth = Math.Min(losses.Count(loss => loss.Ratio >= ReportLimits.LossWorthKnowing), ReportLimits.ShownLosses);
        return new LossList(subject, losses[..worth], losses[worth..]);
    }
}
