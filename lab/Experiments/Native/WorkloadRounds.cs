using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// <see cref="ChildRounds{TFound}"/> of one workload with several allocators. A peer whose process fails is left out, and its failure is
/// reported: a crash of a library is no reason to stop measuring. A failure of ours ends the run.
/// </summary>
internal sealed class WorkloadRounds
{
    /// <summary>
    /// A peak below this counts as this much: stacks of new threads and the runtime's own memory vary by hundreds of kilobytes, so a ratio
    /// of two such numbers would say nothing about the allocators.
    /// </summary>
    public const double SmallestPeak = 1 << 20;

    private readonly ChildRounds<WorkloadMeasurement?> _rounds;
    private readonly HashSet<string> _measured;

    private WorkloadRounds(NativeWorkloadEntry workload, IReadOnlyList<string> contenders, int rounds)
    {
        Workload = workload;
        _rounds = new ChildRounds<WorkloadMeasurement?>(contenders, rounds);
        _measured = [.. contenders];
    }

    public NativeWorkloadEntry Workload { get; }

    /// <summary>A sentence for each peer that was left out.</summary>
    public List<string> Failures { get; } = [];

    /// <param name="ours">The contender that must not fail.</param>
    /// <param name="start">Starts the process of one contender and returns its results.</param>
    /// <param name="onRun">Called after each process.</param>
    public static WorkloadRounds Measure(
        NativeWorkloadEntry workload,
        IReadOnlyList<string> contenders,
        string ours,
        int rounds,
        Random random,
        Func<string, WorkloadMeasurement> start,
        Action onRun)
    {
        var measured = new WorkloadRounds(workload, contenders, rounds);
        measured._rounds.Run(random, contender => measured.Start(contender, ours, start), _ => onRun());
        return measured;
    }

    public bool Has(string contender) => _measured.Contains(contender);

    /// <summary>The median over the rounds; null for a contender that was not measured.</summary>
    public double? Median(string contender, Func<WorkloadMeasurement, double> value) =>
        Has(contender) ? Samples([contender], value).Median(0) : null;

    public Comparison CompareTimes(string ours, string peer, string group) =>
        Samples([ours, peer], round => round.NanosecondsPerOperation).Compare(
            0, 1, $"workloads-{Workload.Name}", group, $"{Workload.Name}, time", Workload.Target);

    public Comparison ComparePeaks(string ours, string peer, string group) =>
        Samples([ours, peer], round => Math.Max(round.PeakBytes, SmallestPeak)).Compare(
            0, 1, $"workloads-{Workload.Name}-peak", group, $"{Workload.Name}, peak memory", Workload.Target is null ? null : 1, unit: "B");

    /// <summary>Starts a process; returns null for a peer that fails now or failed in an earlier round.</summary>
    private WorkloadMeasurement? Start(string contender, string ours, Func<string, WorkloadMeasurement> start)
    {
        if (!Has(contender))
        {
            return null;
        }

        try
        {
            return start(contender);
        }
        catch (InvalidOperationException failure) when (contender != ours)
        {
            _measured.Remove(contender);
            Failures.Add($"{contender} was left out of {Workload.Name}: {failure.Message}");
            return null;
        }
    }

    private RoundSamples Samples(string[] contenders, Func<WorkloadMeasurement, double> value) =>
        _rounds.Samples(contenders, found => value(found!));
}
