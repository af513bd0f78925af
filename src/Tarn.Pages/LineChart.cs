namespace Tarn.Pages;

/// <summary>
/// Lines over a numeric axis. Peers are drawn first and ours on top; names stand beside the lines' ends where there is width for them
/// and in a list below where there is not.
/// </summary>
internal sealed class LineChart : ChartDrawing
{
    /// <summary>More points than this are drawn as a plain curve with a marker here and there.</summary>
    private const int MarkersPerSeries = 26;

    private const int YTickLimit = 8;
    private const double LegendRow = 20;
    private const double MarkRow = 17;

    private readonly AxisScale _x;
    private readonly AxisScale _y;
    private readonly double _left;
    private readonly double _right;
    private readonly double _top;
    private readonly double _bottom;
    private readonly IReadOnlyList<MarkLabel> _marks;

    public LineChart(Chart chart, PictureSize size)
        : base(chart, size, chart.Series.Where(s => s.Points.Any(p => CanShow(chart, p))))
    {
        var points = _looks.SelectMany(l => l.Series.Points).Where(CanShow).ToList();

        // The widths of the labels on either side decide where the plot lies, and need only the values, not the pixels.
        var draft = AxisScale.Over(chart.Y, points.Select(p => p.Y), 0, 1, padded: true);
        _left = Math.Ceiling(draft.Ticks(YTickLimit).Select(t => Svg.WidthOf(draft.Label(t), size.FontSize)).DefaultIfEmpty(0).Max()) + 10;
        _right = size.Width - (size.LabelsBeside ? EndLabels.WidthFor(_looks, size) : 12);
        _x = AxisScale.Over(chart.X, points.Select(p => p.X), _left + 6, _right - 6, padded: false);
        _marks = MarkLabel.Place(chart.Marks.Where(m => _x.Holds(m.X)), _x, size.Width, size.FontSize);
        _top = size.FontSize + 14 + MarkRow * _marks.Select(m => m.Row + 1).DefaultIfEmpty(0).Max();
        _bottom = _top + Math.Max(size.PlotHeight, size.LabelsBeside ? EndLabels.HeightFor(_looks, size) : 0);
        _y = AxisScale.Over(chart.Y, points.Select(p => p.Y), _bottom, _top, padded: true);
    }

    public static bool CanShow(Chart chart, Point point) => AxisScale.CanShow(chart.X, point.X) && AxisScale.CanShow(chart.Y, point.Y);

    public override Picture Draw()
    {
        DrawAxes();
        DrawMarks();
        foreach (var look in _looks.OrderBy(l => l.IsOurs ? 2 : l.IsPublished ? 0 : 1))
        {
            DrawSeries(look);
        }

        var height = _bottom + 2 * _size.FontSize + 20;
        if (_size.LabelsBeside)
        {
            EndLabels.Draw(_svg, _looks.Select(l => (l, _x.Map(LastPoint(l).X), _y.Map(LastPoint(l).Y))), _right, _top, _bottom, _size);
        }
        else
        {
            height = DrawLegendBelow(height + 6);
        }

        return new Picture(_size.Width, height, _svg.ToString());
    }

    private bool CanShow(Point point) => CanShow(_chart, point);

    private Point LastPoint(SeriesLook look) => look.Series.Points.Last(CanShow);

    private void DrawAxes()
    {
        foreach (var tick in _y.Ticks(YTickLimit))
        {
            var y = _y.Map(tick);
            _svg.Line(_left, y, _right, y, "grid");
            _svg.Text(_left - 8, y + _size.FontSize * 0.35, _y.Label(tick), "tick", "end");
        }

        _svg.Line(_left, _bottom, _right, _bottom, "base");
        var widest = _x.Ticks(100).Select(t => Svg.WidthOf(_x.Label(t), _size.FontSize)).DefaultIfEmpty(1).Max();
        foreach (var tick in _x.Ticks((int)Math.Round((_right - _left) / (widest + 8))))
        {
            var x = _x.Map(tick);
            _svg.Line(x, _bottom, x, _bottom + 5, "base");
            // A label at the right end of a narrow picture would stick out of it.
            var half = Svg.WidthOf(_x.Label(tick), _size.FontSize) / 2;
            _svg.Text(Math.Min(x, _size.Width - half), _bottom + _size.FontSize + 8, _x.Label(tick), "tick", "middle");
        }

        _svg.Text(0, _size.FontSize, AxisTitle(_chart.Y), "axis");
        _svg.Text(_right, _bottom + 2 * _size.FontSize + 14, AxisTitle(_chart.X), "axis", "end");
    }

    private void DrawMarks()
    {
        foreach (var mark in _marks)
        {
            var y = _top - 6 - MarkRow * mark.Row;
            _svg.Line(mark.X, y - _size.FontSize + 2, mark.X, _bottom, "mark");
            _svg.Text(mark.From, y, mark.Text, "marklabel");
        }
    }

    private void DrawSeries(SeriesLook look)
    {
        var data = "";
        var open = false;
        foreach (var point in look.Series.Points)
        {
            // What cannot be shown leaves a gap: joining its neighbours would invent a value.
            if (CanShow(point))
            {
                data += $"{(open ? 'L' : 'M')}{Svg.Number(_x.Map(point.X))} {Svg.Number(_y.Map(point.Y))}";
            }

            open = CanShow(point);
        }

        _svg.Raw(look.Group);
        _svg.Path(data, "curve");
        var points = look.Series.Points.Where(CanShow).ToList();
        var stride = (points.Count + MarkersPerSeries - 1) / MarkersPerSeries;
        for (var i = 0; i < points.Count; i += stride)
        {
            var title = $"{look.Series.Name}\n{Quantity.Format(points[i].X, _chart.X.Unit)}\n{Quantity.Format(points[i].Y, _chart.Y.Unit)}";
            look.DrawMarker(_svg, _x.Map(points[i].X), _y.Map(points[i].Y), title);
        }

        _svg.Raw("</g>");
    }

    private double DrawLegendBelow(double top)
    {
        var half = _size.Width / 2;
        var columns = _looks.All(l => Svg.WidthOf(l.Series.Name, _size.FontSize) < half - 44) ? 2 : 1;
        var rows = (_looks.Count + columns - 1) / columns;
        var i = 0;
        foreach (var look in _looks)
        {
            var x = i / rows * half;
            var y = top + LegendRow * (i++ % rows) + LegendRow / 2;
            _svg.Raw(look.Group);
            look.DrawSwatch(_svg, x + 2, y);
            var name = Svg.Fit(look.Series.Name, _size.Width / columns - 40, _size.FontSize);
            _svg.Text(x + 36, y + _size.FontSize * 0.35, name, look.IsOurs ? "strong" : "name");
            _svg.Raw("</g>");
        }

        return top + LegendRow * rows + 2;
    }
}
