using System.Globalization;
using Tarn.Lab.Model;

namespace Tarn.Lab.Claims;

/// <summary>Compares claims with a report.</summary>
internal static class ClaimJudge
{
    /// <summary>Returns the claims whose evidence the report contains completely. Others were not measured and are left out.</summary>
    public static IReadOnlyList<ClaimResult> Judge(IEnumerable<Claim> claims, LabReport report)
    {
        var measured = report.Comparisons
            .Select(
                comparison => new ClaimEvidence(
                    comparison.Id, comparison.Title, comparison.Ratio, comparison.RatioLow, comparison.RatioHigh))
            .Concat(report.Figures.Select(figure => new ClaimEvidence(figure.Id, figure.Title, figure.Value, figure.Value, figure.Value)))
            .ToDictionary(evidence => evidence.Id);
        return
        [
            .. claims.Where(claim => claim.Evidence.All(measured.ContainsKey)).Select(claim =>
                Judge(
                    claim,
                    [.. claim.Evidence.Union(claim.FullRunEvidence.Where(measured.ContainsKey)).Select(id => measured[id])])),
        ];
    }

    public static ClaimResult Judge(Claim claim, IReadOnlyList<ClaimEvidence> evidence)
    {
        // A figure that is not a number proves nothing, but Max would silently ignore it.
        double worst = evidence.Any(piece => double.IsNaN(piece.Value)) ? double.NaN : evidence.Max(piece => piece.Value);
        string figure = claim.Style.Format(worst);
        return new ClaimResult
        {
            Id = claim.Id,
            Sentence = string.Format(CultureInfo.InvariantCulture, claim.Sentence, figure),
            Figure = figure,
            Value = worst,
            Bound = claim.Bound,
            Holds = worst <= claim.Bound,
            Evidence = evidence,
        };
    }
}
