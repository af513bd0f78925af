using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Experiments.Watched;

namespace Tarn.Lab.Running;

/// <summary>Every job that runs in a process of its own.</summary>
internal static class ChildJobs
{
    public static IReadOnlyList<IChildJob> All { get; } =
    [
        new KMallocJob(),
        new SmallBlocksJob(),
        new UnusedHeapJob(),
        new FreedMemoryJob(),
        new ShrinkingJob(),
        new WorkloadJob(),
        new MessageJob(),
        new FrameLoopsJob(),
        new DocumentsJob(),
    ];

    /// <exception cref="InvalidDataException">There is no job of that name.</exception>
    public static IChildJob Find(string name) =>
        All.FirstOrDefault(job => job.Name == name)
            ?? throw new InvalidDataException($"No such job: {name}. There are: {string.Join(", ", All.Select(job => job.Name))}.");
}
