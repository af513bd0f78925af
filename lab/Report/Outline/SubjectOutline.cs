using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Outline;

/// <summary>A part of the library with everything that was measured of it.</summary>
internal sealed record SubjectOutline(string Title, IReadOnlyList<ExperimentOutline> Experiments)
{
    /// <summary>All of the subject's comparisons, in reading order.</summary>
    public IReadOnlyList<Comparison> Comparisons { get; } = [.. Experiments.SelectMany(experiment => experiment.Comparisons)];

    public RatioSummary Summary => RatioSummary.Of(Comparisons);
}

/// <summary>An experiment with its comparisons; comparisons whose experiment left no section stand under their group's name.</summary>
internal sealed record ExperimentOutline(string Id, string Title, Section? Section, IReadOnlyList<Comparison> Comparisons);
