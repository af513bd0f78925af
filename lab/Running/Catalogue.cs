using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Arrays;
using Tarn.Lab.Experiments.Benchmarks;
using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Experiments.Streams;

namespace Tarn.Lab.Running;

/// <summary>Every experiment, in reading order: what matters most comes first in the report.</summary>
internal static class Catalogue
{
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new TracesExperiment(),
        new LoadsExperiment(),
        new RequestsExperiment(),
        new SinglePairExperiment(),
        new LeaseExperiment(),
        new DeepPairsExperiment(),
        new ThreadsExperiment(),
        new HandoverExperiment(),
        new RandomSizesExperiment(),
        new ManyTypesExperiment(),
        new FirstUseExperiment(),
        new SlackExperiment(),
        new IdleMemoryExperiment(),
        new NativePairExperiment(),
        new KMallocExperiment(),
        new NativeMemoryExperiment(),
        new ShrinkingExperiment(),
        new WorkloadsExperiment(),
        new StreamsExperiment(),
        new StreamThreadsExperiment(),
        new StreamUsersExperiment(),
        new RingExperiment(),
        new Net6AllocationExperiment(),
        new LargeArraysExperiment(),
        new StreamGrowthExperiment(),
        new FrameAllocationExperiment(),
        new CopyExperiment(),
    ];

    /// <summary>The experiments named, in reading order; all when none is named.</summary>
    /// <exception cref="UnknownExperimentException">A name is not in the catalogue.</exception>
    public static IReadOnlyList<IExperiment> Select(IReadOnlyCollection<string> ids)
    {
        string[] unknown = [.. ids.Where(id => !All.Any(experiment => experiment.Id == id))];
        if (unknown.Length > 0)
        {
            throw new UnknownExperimentException(unknown);
        }

        return ids.Count == 0 ? All : [.. All.Where(experiment => ids.Contains(experiment.Id))];
    }
}
