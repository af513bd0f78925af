using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>Document 5, its first table: a block for a frame of video, taken and given back.</summary>
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
        Text = "A document of 2009 counts how often a program can take memory for a frame of video and give it back, in optimized and in "
            + "Debug code, with either collector. Made again here with five ways of ours. Every loop writes the first byte of its block "
            + "and new byte[] keeps the array in a field, so none can be left out by the compiler; at 425 and 342 million loops the "
            + "document's new and stackalloc probably were, as clearing that much memory takes a hundred times as long. new byte[] and "
            + "stackalloc clear all of the block, the others do not, and pools hand out what they were given "
            + "back. " + Frames.Allocation.Source + ".",
        Charts =
        [
            new Chart
            {
                Id = "frame-allocation-time",
                Title = "Take and give back one block",
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
                $"The document's named shared mapping stands beside {AllocationNames.SharedRegion}.",
                Frames.Allocation,
                Frames.AllocationInDebug),
            .. results.BySize(
                "frame-allocation",
                $"Stack memory up to {ByteSize.Text(AllocationLoops.MostOnStack)}, shared memory up to "
                    + $"{ByteSize.Text(AllocationLoops.MostShared)}."),
        ],
    };
}
