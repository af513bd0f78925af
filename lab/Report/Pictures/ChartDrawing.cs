using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Pictures;

/// <summary>What every kind of chart is drawn with: its size, the looks of its series, and the SVG that comes of it.</summary>
/// <param name="series">Those of the chart that have something to show.</param>
internal abstract class ChartDrawing(Chart chart, PictureSize size, IEnumerable<Series> series)
{
    protected readonly Svg _svg = new();
    protected readonly Chart _chart = chart;
    protected readonly PictureSize _size = size;
    protected readonly IReadOnlyList<SeriesLook> _looks = SeriesLook.Assign([.. series]);

    public abstract Picture Draw();

    protected static string AxisTitle(Axis axis) => axis.Logarithmic ? $"{axis.Label} (logarithmic)" : axis.Label;
}
