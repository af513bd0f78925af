using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Arrays;
using Tarn.Lab.Experiments.Benchmarks;
using Tarn.Lab.Experiments.Budgets;
using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Experiments.Scale;
using Tarn.Lab.Experiments.Servers;
using Tarn.Lab.Experiments.Sharing;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Experiments.Tails;
using Tarn.Lab.Experiments.Watched;
using Tarn.Lab.Experiments.Writers;

namespace Tarn.Lab.Running;

/// <summary>Every experiment, in reading order, the most important first.</summary>
internal static class Catalogue
{
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new TracesExperiment(),
        new LoadsExperiment(),
        new RequestsExperiment(),
        new TailsExperiment(),
        new KestrelExperiment(),
        new DesignsExperiment(),
        new SinglePairExperiment(),
        new LeaseExperiment(),
        new DeepPairsExperiment(),
        new ThreadsExperiment(),
        new HandoverExperiment(),
        new RandomSizesExperiment(),
        new LossyRentsExperiment(),
        new ManyTypesExperiment(),
        new FirstUseExperiment(),
        new SlackExperiment(),
        new IdleMemoryExperiment(),
        new SlicesExperiment(),
        new BudgetsExperiment(),
        new WatchedExperiment(),
        new AllocationsExperiment(),
        new NativePairExperiment(),
        new KMallocExperiment(),
        new NativeMemoryExperiment(),
        new HugePagesExperiment(),
        new ShrinkingExperiment(),
        new WorkloadsExperiment(),
        new StreamsExperiment(),
        new StreamThreadsExperiment(),
        new StreamUsersExperiment(),
        new WritersExperiment(),
        new RingExperiment(),
        new OneWayExperiment(),
        SidesExperiment.Queue,
        SidesExperiment.Topic,
        new ScaleExperiment(),
        new Net6AllocationExperiment(),
        new LargeArraysExperiment(),
        new StreamGrowthExperiment(),
        new FrameAllocationExperiment(),
        new CopyExperiment(),
        new CopyWaysExperiment(),
#if AGAINST
        new Experiments.Against.AgainstExperiment(),
        new Experiments.Against.AgainstPoolExperiment(),
        new Experiments.Against.AgainstHeapExperiment(),
        new Experiments.Against.KeptOutExperiment(),
#endif
    ];

    /// <summary>
    /// The experiments that a quick run leaves out unless they are named: repeated tables of other documents, and loads that take a minute
    /// each. Without them a quick run takes less than five minutes.
    /// </summary>
    public static IReadOnlyList<string> OnRequest { get; } =
    [
        "kmalloc", "shrinking", "workloads", "net6-allocation", "large-arrays", "stream-growth", "frame-allocation", "copy",
        "copy-ways", "scale", "kestrel", "kestrel-designs", "lossy", "watched", "allocations", "writers", "slices", "budgets", "huge-pages",
        "one-way", "queue", "topic",
#if AGAINST
        "against", "against-pool", "against-heap", "against-kept-out",
#endif
    ];

    /// <summary>
    /// The experiments named, in reading order. When none is named, all of them, without those on request in a quick run.
    /// </summary>
    /// <exception cref="UnknownExperimentException">A name is not in the catalogue.</exception>
    public static IReadOnlyList<IExperiment> Select(IReadOnlyCollection<string> ids, bool isFull)
    {
        string[] unknown = [.. ids.Where(id => !All.Any(experiment => experiment.Id == id))];
        if (unknown.Length > 0)
        {
            throw new UnknownExperimentException(unknown);
        }

        return (ids.Count, isFull) switch
        {
            ( > 0, _) => [.. All.Where(experiment => ids.Contains(experiment.Id))],
            (_, true) => All,
            _ => [.. All.Where(experiment => !OnRequest.Contains(experiment.Id))],
        };
    }
}
