using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Loops;
using Tarn.SharedMemory;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>The first table of document 5: a block for a video frame, allocated and returned.</summary>
internal sealed class FrameAllocationExperiment : IExperiment
{
    public string Id => "frame-allocation";

    public string Title => "Memory for a frame";

    public double QuickSeconds => 12;

    public double FullSeconds => 75;

    public ExperimentResult Run(ExperimentContext context) => new(Describe(context, FrameResults.Measure(context, FrameLoops.Allocation)));

    private Section Describe(ExperimentContext context, FrameResults results) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A document of 2009 counts how often a program can allocate memory for a video frame and return it, in optimized and Debug "
            + "code, with either collector. It is repeated here with five ways of Tarn. Every loop writes the first byte of its block, and "
            + "new byte[] keeps the array in a field, so the compiler cannot remove any. The document's compiler probably removed new and "
            + "stackalloc, at 425 and 342 million loops, because clearing that much memory takes a hundred times as long. new byte[] and "
            + "stackalloc clear the whole block, the others do not, and pools hand out returned blocks. " + Frames.Allocation.Source + ".",
        Charts =
        [
            new Chart
            {
                Id = "frame-allocation-time",
                Title = "Allocate and return one block",
                Description = "Nanoseconds for one block against its size, both logarithmic; optimized code, workstation collector.",
                Kind = ChartKind.Lines,
                X = new Axis("Size", "B", Logarithmic: true),
                Y = new Axis("Time", "ns", Logarithmic: true),
                Series = [.. results.ToSeries((_, nanoseconds) => nanoseconds), .. Frames.Allocation.ToSeries([Frames.Size])],
                Marks = context.CacheMarks,
            },
        ],
        Tables =
        [
            results.OfFrames(
                "frame-allocation-frames",
                $"The document's named shared mapping is beside {AllocationNames.SharedRegion}.",
                Frames.Allocation,
                Frames.AllocationInDebug),
            .. results.BySize(
                "frame-allocation",
                $"Stack memory up to {ByteSize.Text(AllocationLoops.MostOnStack)}, shared memory up to "
                    + $"{ByteSize.Text(AllocationLoops.MostShared)}."),
        ],
    };
}
