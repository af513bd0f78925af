using Tarn.Lab.Measurement;
using Tarn.Lab.Results;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments;

/// <summary>
/// One workload with several allocators, each once a round and in a new random order every round. A peer whose process fails is left out
/// and its failure told; that a library crashes is no reason to measure nothing. Ours has no such excuse.
/// </summary>
internal sealed class WorkloadRounds
{
    /// <summary>
    /// A peak below this counts as this much: stacks of new threads and the runtime's own memory come and go by hundreds of kilobytes, and a
    /// ratio of two such numbers would say nothing of the allocators.
    /// </summary>
    public const double SmallestPeak = 1 << 20;

    private readonly Dictionary<string, List<WorkloadMeasurement>> _byContender;

    private WorkloadRounds(NativeWorkloadEntry workload, IEnumerable<string> contenders)
    {
        Workload = workload;
        _byContender = contenders.ToDictionary(name => name, _ => new List<WorkloadMeasurement>());
    }

    public NativeWorkloadEntry Workload { get; }

    /// <summary>A sentence for each peer that was left out.</summary>
    public List<string> Failures { get; } = [];

    /// <param name="ours">The contender that must not fail.</param>
    /// <param name="start">Starts the process of one contender and returns what it found.</param>
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
        var measured = new WorkloadRounds(workload, contenders);
        string[] order = [.. contenders];
        for (int round = 0; round < rounds; round++)
        {
            random.Shuffle(order);
            foreach (string contender in order)
            {
                measured.MeasureOne(contender, ours, start);
                onRun();
            }
        }

        return measured;
    }

    public bool Has(string contender) => _byContender.ContainsKey(contender);

    /// <summary>The median over the rounds; null for a contender that was not measured.</summary>
    public double? Median(string contender, Func<WorkloadMeasurement, double> value) =>
        _byContender.TryGetValue(contender, out List<WorkloadMeasurement>? rounds) ? MedianInterval.Of([.. rounds.Select(value)]).Median : null;

    public Comparison CompareTimes(string ours, string peer, string group) =>
        Samples(ours, peer, round => round.NanosecondsPerOperation).Compare(
            0, 1, $"workloads-{Workload.Name}", group, $"{Workload.Name}, time", Workload.HasTarget ? 1.0 : null);

    public Comparison ComparePeaks(string ours, string peer, string group) =>
        Samples(ours, peer, round => Math.Max(round.PeakBytes, SmallestPeak)).Compare(
            0, 1, $"workloads-{Workload.Name}-peak", group, $"{Workload.Name}, peak memory", Workload.HasTarget ? 1.0 : null, unit: "B");

    private void MeasureOne(string contender, string ours, Func<string, WorkloadMeasurement> start)
    {
        if (!Has(contender))
            return;

        try
        {
            _byContender[contender].Add(start(contender));
        }
        catch (InvalidOperationException failure) when (contender != ours)
        {
            _byContender.Remove(contender);
            Failures.Add($"{contender} was left out of {Workload.Name}: {failure.Message}");
        }
    }

    private RoundSamples Samples(string ours, string peer, Func<WorkloadMeasurement, double> value) =>
        new([ours, peer], [[.. _byContender[ours].Select(value)], [.. _byContender[peer].Select(value)]]);
}
