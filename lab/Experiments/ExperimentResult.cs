using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments;

/// <summary>What an experiment adds to the report.</summary>
internal sealed record ExperimentResult(Section Section)
{
    public IReadOnlyList<Comparison> Comparisons { get; init; } = [];

    public IReadOnlyList<Figure> Figures { get; init; } = [];
}
