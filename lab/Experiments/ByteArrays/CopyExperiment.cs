using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>Document 5, its second table: a frame of video copied; and our copies against the runtime's.</summary>
internal sealed class CopyExperiment : IExperiment
{
    public string Id => "copy";

    public string Title => "Copying";

    public double QuickSeconds => 26;

    public double FullSeconds => 150;

    public ExperimentResult Run(ExperimentContext context)
    {
        FrameResults results = FrameResults.Measure(context.Part(1, 2), FrameLoops.Copy);
        var comparisons = CopyComparisons.Measure(context.Part(2, 2));
        CopyBuffers.Release();
        return new ExperimentResult(Describe(context, results, comparisons)) { Comparisons = comparisons.ToComparisons() };
    }

    /// <summary>Bytes in a nanosecond are gigabytes in a second.</summary>
    private static double Speed(double size, double nanoseconds) => size / nanoseconds;

    private Section Describe(ExperimentContext context, FrameResults results, CopyComparisons comparisons) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A document of 2009 counts how often a frame of video can be copied, in optimized and in Debug code, with either collector. "
            + "Made again here with what .NET has gained and with ours. All copy the same bytes between the same two arrays, again and "
            + "again: below the size of a cache they stay in it. A gigabyte a second is a billion bytes copied, each read once and written "
            + "once. Comparisons are measured by turns in one process. A rested copy comes after a pause in which the caller was busy and "
            + "the other threads went to sleep. " + Frames.Copy.Source + ".",
        Charts =
        [
            new Chart
            {
                Id = "copy-speed",
                Title = "Speed of a copy",
                Description = "Gigabytes a second against the size, which is logarithmic; optimized code, workstation collector.",
                Kind = ChartKind.Lines,
                X = new Axis("Size", "B", Logarithmic: true),
                Y = new Axis("Speed", "GB/s", Logarithmic: false),
                Series =
                [
                    .. results.ToSeries(Speed),
                    .. Frames.Copy.ToSeries([Frames.Size]).Select(series => series with
                    {
                        Points = [.. series.Points.Select(point => new Point(point.X, Speed(point.X, point.Y)))],
                    }),
                ],
                Marks = context.CacheMarks,
            },
        ],
        Tables =
        [
            results.OfFrames(
                "copy-frames",
                "The document's CopyMemory stands beside memcpy; of Debug it says that own loops are five times slower.",
                Frames.Copy,
                Frames.CopyInDebug),
            results.BySize("copy-speeds", "Gigabytes a second", "Optimized code, workstation collector.", Speed),
            .. results.BySize("copy", "Calculated from shorter loops."),
            .. comparisons.ToTables(),
        ],
    };
}
