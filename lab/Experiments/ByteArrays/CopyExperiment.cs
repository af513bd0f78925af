using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>The second table of document 5: a video frame copied; and our copies against the runtime's.</summary>
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

    /// <summary>Bytes a nanosecond are gigabytes a second.</summary>
    private static double Speed(double size, double nanoseconds) => size / nanoseconds;

    private Section Describe(ExperimentContext context, FrameResults results, CopyComparisons comparisons) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A document of 2009 counts how often a video frame can be copied, in optimized and Debug code, with either collector. It is "
            + "repeated here with newer ways of .NET and with Tarn's. All copy the same bytes between the same two arrays, repeatedly: "
            + "below the size of a cache, the bytes stay in it. A gigabyte a second is a billion bytes copied, each read once and written "
            + "once. Contenders of a comparison take turns in one process. A rested copy follows a pause in which the caller was busy and "
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
                "The document's CopyMemory is beside memcpy. The document says that hand-written loops are five times slower in Debug.",
                Frames.Copy,
                Frames.CopyInDebug),
            results.BySize("copy-speeds", "Gigabytes a second", "Optimized code, workstation collector.", Speed),
            .. results.BySize("copy", "Calculated from shorter loops."),
            .. comparisons.ToTables(),
        ],
    };
}
