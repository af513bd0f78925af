using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>The results of one mixed load: our pool's first, then those of <c>ArrayPool.Shared</c>.</summary>
internal sealed record LoadResult(
    MixedLoad Load, RoundSamples Samples, double AllocatedShare, double PeerAllocatedShare, long PeakInFlightBytes, long PeakRetainedBytes)
{
    /// <summary>The share of the bytes rented that may be newly allocated once the pool is warm.</summary>
    private const double AllocatedTarget = 0.01;

    private const double HandedOverTarget = 1.0;
    private const double AllToAllTarget = 0.8;

    public required long SharedRetainedBytes { get; init; }

    public required long CreatedRetainedBytes { get; init; }

    public Comparison ToComparison(string group) =>
        Samples.Compare(0, 1, $"loads-{Load.Id}", group, Load.Title, Load.IsAllToAll ? AllToAllTarget : HandedOverTarget);

    public IEnumerable<Figure> ToFigures() =>
    [
        new Figure
        {
            Id = $"loads-allocated-{Load.Id}",
            Title = $"Newly allocated of the bytes rented. {Load.Title}",
            Value = AllocatedShare,
            Unit = "",
            Bound = AllocatedTarget,
        },
        new Figure
        {
            Id = $"loads-retained-{Load.Id}",
            Title = $"Retained, of five times the most in flight and 1 MiB a thread. {Load.Title}",
            Value = PeakRetainedBytes / MixedLoad.AllowedRetained(PeakInFlightBytes, Load.Threads),
            Unit = "",
            Bound = 1,
        },
    ];

    public IReadOnlyList<object?> ToRow() =>
    [
        Load.Title,
        Samples.Median(0),
        Samples.Median(1),
        100 * AllocatedShare,
        100 * PeerAllocatedShare,
        (double)PeakInFlightBytes,
        (double)PeakRetainedBytes,
        MixedLoad.AllowedRetained(PeakInFlightBytes, Load.Threads),
        PeakRetainedBytes / (double)PeakInFlightBytes,
        SharedRetainedBytes / (double)PeakInFlightBytes,
        CreatedRetainedBytes / (double)PeakInFlightBytes,
    ];
}
