namespace Tarn.Pages;

/// <summary>The common part of all charts: the size, the looks of the series, and the resulting SVG.</summary>
/// <param name="series">The chart's series that have something to show.</param>
internal abstract class ChartDrawing(Chart chart, PictureSize size, IEnumerable<Series> series)
{
    protected readonly Svg _svg = new();
    protected readonly Chart _chart = chart;
    protected readonly PictureSize _size = size;
    protected readonly IReadOnlyList<SeriesLook> _looks = SeriesLook.Assign([.. series]);

    public abstract Picture Draw();

    protected static string AxisTitle(Axis axis) => axis.Logarithmic ? $"{axis.Label} (logarithmic)" : axis.Label;
}
