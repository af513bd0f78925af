using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Against;

/// <summary>One work on every build of the library.</summary>
/// <param name="Id">Unique among rows.</param>
/// <param name="Title">The description for readers.</param>
/// <param name="Samples">
/// Times: this commit's, the other commit's, this one's again, and those of <c>ArrayPool.Shared</c> for arrays.
/// </param>
internal sealed record AgainstRow(string Id, string Title, RoundSamples Samples)
{
    private const string Group = "Against another commit";

    /// <summary>For each contender, the bytes newly allocated as a share of the bytes rented; empty where it was not counted.</summary>
    public IReadOnlyList<double> Allocated { get; init; } = [];

    /// <summary>For each contender, the most bytes retained as a multiple of the most in use; empty where it was not counted.</summary>
    public IReadOnlyList<double> Retained { get; init; } = [];

    /// <summary>The time of this commit, ÷ that of the other commit.</summary>
    public Comparison ToComparison() => Samples.Compare(0, 1, $"against-{Id}", Group, Title);

    public IReadOnlyList<object?> ToCells()
    {
        MedianInterval ratio = Samples.Ratio(0, 1);
        int shared = Samples.IndexOf(PoolNames.BclShared);
        return
        [
            Title,
            Samples.Median(0),
            ratio.Median,
            ratio.Low,
            ratio.High,
            Samples.Ratio(2, 0).Median,
            shared < 0 ? null : Samples.Ratio(0, shared).Median,
            Percent(0),
            Percent(1),
            Times(0),
            Times(1),
            Times(shared),
        ];
    }

    private double? Percent(int contender) => contender < Allocated.Count ? 100 * Allocated[contender] : null;

    private double? Times(int contender) =>
        contender >= 0 && contender < Retained.Count && Retained[contender] > 0 ? Retained[contender] : null;
}
