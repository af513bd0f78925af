using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Outline;

/// <summary>Many comparisons in a few numbers. Only those that have a ratio count.</summary>
internal sealed record RatioSummary
{
    public required int Count { get; init; }

    public required int Wins { get; init; }

    public required int Losses { get; init; }

    public int Same => Count - Wins - Losses;

    /// <summary>The median; NaN, like the other values, if nothing was measured.</summary>
    public required double Median { get; init; }

    /// <summary>A quarter of the ratios is below.</summary>
    public required double LowerQuartile { get; init; }

    /// <summary>A quarter of the ratios is above.</summary>
    public required double UpperQuartile { get; init; }

    public required double Lowest { get; init; }

    public required double Highest { get; init; }

    public static RatioSummary Of(IEnumerable<Comparison> comparisons)
    {
        var measured = comparisons.Where(ComparisonWords.IsMeasured).ToList();
        double[] ratios = [.. measured.Select(comparison => comparison.Ratio).Order()];
        return new RatioSummary
        {
            Count = ratios.Length,
            Wins = measured.Count(comparison => comparison.Outcome == Outcome.Win),
            Losses = measured.Count(comparison => comparison.Outcome == Outcome.Loss),
            Median = Quantile(ratios, 0.5),
            LowerQuartile = Quantile(ratios, 0.25),
            UpperQuartile = Quantile(ratios, 0.75),
            Lowest = Quantile(ratios, 0),
            Highest = Quantile(ratios, 1),
        };
    }

    /// <summary><c>no loss</c>, <c>1 loss</c>, <c>3 losses</c>.</summary>
    public string LossWords => Losses switch { 0 => "no loss", 1 => "1 loss", _ => $"{Losses} losses" };

    /// <summary><c>63 comparisons, median 0.47×, 7 losses</c>; empty where nothing was compared.</summary>
    public string Words => Count == 0 ? "" : $"{ComparisonWords.Count(Count, "comparison")}, median {Quantity.Ratio(Median)}, {LossWords}";

    /// <summary>Between two neighbours in proportion.</summary>
    private static double Quantile(double[] sorted, double share)
    {
        if (sorted.Length == 0)
        {
            return double.NaN;
        }

        var place = share * (sorted.Length - 1);
        var below = (int)place;
        var above = Math.Min(below + 1, sorted.Length - 1);
        return sorted[below] + ((place - below) * (sorted[above] - sorted[below]));
    }
}
