namespace Tarn.Pages;

/// <summary>
/// Bars over named categories, lying down: names of any length can be read, every bar carries its name and value, and a phone
/// has the height that a wide picture of standing bars would need in width.
/// </summary>
internal sealed class BarChart : ChartDrawing
{
    private const double Row = 19;
    private const double Thickness = 11;
    private const double GroupGap = 14;
    private const double ColumnGap = 40;

    private readonly List<double> _categories;

    public BarChart(Chart chart, PictureSize size)
        : base(chart, size, chart.Series.Where(s => s.Points.Count > 0)) =>
        _categories = [.. _looks.SelectMany(l => l.Series.Points).Select(p => p.X).Where(double.IsFinite).Distinct().Order()];

    /// <summary>With one series the categories name the bars themselves.</summary>
    private bool Grouped => _looks.Count > 1;

    private double GroupHeight => Grouped ? Row * (_looks.Count + 1) + GroupGap : Row;

    /// <summary>A bar also shows its value in digits, so that zero can appear on a logarithmic axis too.</summary>
    public static bool CanShow(Point point) => double.IsFinite(point.X) && double.IsFinite(point.Y);

    public override Picture Draw()
    {
        // Two columns where there is width and the picture would otherwise be taller than a screen.
        var columns = _size.LabelsBeside && Grouped && _categories.Count > 3 ? 2 : 1;
        var width = (_size.Width - ColumnGap * (columns - 1)) / columns;
        var perColumn = (_categories.Count + columns - 1) / columns;
        var top = _size.FontSize + 16;
        _svg.Text(0, _size.FontSize, AxisTitle(_chart.Y), "axis");
        for (var column = 0; column < columns; column++)
        {
            DrawColumn(_categories.Skip(column * perColumn).Take(perColumn), column * (width + ColumnGap), width, top);
        }

        return new Picture(_size.Width, top + perColumn * GroupHeight, _svg.ToString());
    }

    /// <summary>A bar whose category has no name still stands in the picture, under its number.</summary>
    private string CategoryName(double category) =>
        category >= 0 && category < _chart.Categories.Count ? _chart.Categories[(int)category] : Quantity.Format(category, "");

    private void DrawColumn(IEnumerable<double> categories, double left, double width, double top)
    {
        var names = Grouped ? _looks.Select(l => l.Series.Name) : _categories.Select(CategoryName);
        var values = _looks.SelectMany(l => l.Series.Points).Select(p => p.Y).ToList();
        var nameWidth = Math.Min(names.Select(n => Svg.WidthOf(n, _size.FontSize)).DefaultIfEmpty(0).Max(), width * 0.44);
        var valueWidth = values.Select(v => Svg.WidthOf(Quantity.Format(v, _chart.Y.Unit), _size.FontSize)).DefaultIfEmpty(0).Max();
        var barsFrom = left + nameWidth + 10;
        var scale = AxisScale.Over(_chart.Y, values, barsFrom, left + width - valueWidth - 8, padded: true);

        var y = top;
        foreach (var category in categories)
        {
            if (Grouped)
            {
                _svg.Text(left, y + 12, Svg.Fit(CategoryName(category), width, _size.FontSize), "head");
                y += Row;
            }

            foreach (var look in _looks)
            {
                DrawBar(look, category, Grouped ? look.Series.Name : CategoryName(category), left, nameWidth, y, scale);
                y += Row;
            }

            _svg.Line(scale.Base, y - Row * _looks.Count, scale.Base, y, "base");
            y += Grouped ? GroupGap : 0;
        }
    }

    private void DrawBar(SeriesLook look, double category, string name, double left, double nameWidth, double y, AxisScale scale)
    {
        var baseline = y + Row / 2 + _size.FontSize * 0.35;
        // Positions compare equal: they are indices that happen to be stored as doubles.
        var value = look.Series.Points.Where(p => p.X == category).Select(p => p.Y).DefaultIfEmpty(double.NaN).First();
        _svg.Raw(look.Group);
        _svg.Text(left, baseline, Svg.Fit(name, nameWidth, _size.FontSize), look.IsOurs ? "strong" : "name");
        var end = scale.Base;
        if (scale.CanShow(value))
        {
            var from = Math.Min(scale.Base, scale.Map(value));
            end = Math.Max(scale.Base, scale.Map(value));
            // A value too small to see still gets a sliver; zero gets none.
            if (value != 0)
            {
                _svg.Rectangle(from, y + (Row - Thickness) / 2, Math.Max(end - from, 1), Thickness, "bar", 1.5);
            }
        }

        _svg.Text(end + 6, baseline, double.IsNaN(value) ? "not measured" : Quantity.Format(value, _chart.Y.Unit), "tick");
        _svg.Raw("</g>");
    }
}
