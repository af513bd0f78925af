using Tarn.Pages;
using Tarn.Tool.Analysis;

namespace Tarn.Tool.Reports;

/// <summary>The pictures of the page.</summary>
internal static class Charts
{
    private const double Microsecond = 1e3;

    public static void Write(Markup html, Chart chart)
    {
        html.Raw($"<figure id=\"{Markup.Anchor("chart", chart.Id)}\" class=\"chart\">\n<figcaption>");
        html.Text("h4", chart.Title);
        html.Text("p", chart.Description);
        html.Raw("</figcaption>\n");
        html.Raw(SvgPicture.Inline(chart, PictureSize.Wide) + "\n");
        html.Raw(SvgPicture.Inline(chart, PictureSize.Narrow) + "\n</figure>\n");
    }

    public static Chart Holds(Findings findings) => Histogram(
        "holds",
        "Time between rent and return",
        "Each bar counts the buffers that were out for at least its time and less than twice that.",
        findings.Holds,
        from => from == 0 ? "below 1 µs" : Quantity.Format(from * Microsecond, "ns"));

    public static Chart Sizes(Findings findings) => Histogram(
        "sizes",
        "Sizes of rented buffers",
        "Each bar counts the rented buffers of at least its size and less than twice that.",
        findings.Sizes,
        from => Quantity.Format(from, "B"));

    public static Chart Course(Findings findings)
    {
        (string Name, SeriesRole Role, Func<TimelinePoint, long> Of)[] all =
        [
            ("in use", SeriesRole.Ours, point => point.OutBytes), ("allocated", SeriesRole.Peer, point => point.AllocatedBytes),
            ("dropped", SeriesRole.Peer, point => point.DroppedBytes), ("trimmed", SeriesRole.Peer, point => point.TrimmedBytes),
        ];
        return new Chart
        {
            Id = "course",
            Title = "Bytes over time",
            Description = "In use at each moment; allocated, dropped and trimmed by the pools in each sixtieth of the recording.",
            Kind = ChartKind.Lines,
            X = new Axis("time", "s", Logarithmic: false),
            Y = new Axis("bytes", "B", Logarithmic: false),
            Series =
            [
                .. all.Where(one => findings.Timeline.Any(point => one.Of(point) != 0)).Select(one => new Series(
                    one.Name, one.Role, [.. findings.Timeline.Select(point => new Point(point.Seconds, one.Of(point)))])),
            ],
        };
    }

    private static Chart Histogram(
        string id, string title, string description, IReadOnlyList<HistogramBar> bars, Func<long, string> name)
    {
        var series = new Series("buffers", SeriesRole.Ours, [.. bars.Select((bar, index) => new Point(index, bar.Count))]);
        return new Chart
        {
            Id = id,
            Title = title,
            Description = description,
            Kind = ChartKind.Bars,
            X = new Axis("", "", Logarithmic: false),
            Y = new Axis("buffers", "", Logarithmic: false),
            Series = [series],
            Categories = [.. bars.Select(bar => name(bar.From))],
        };
    }
}
