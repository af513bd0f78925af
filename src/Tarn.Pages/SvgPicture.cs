namespace Tarn.Pages;

/// <summary>Draws charts, for the page and as files of their own.</summary>
internal static class SvgPicture
{
    /// <summary>A file of its own, for a README: it brings its own colours for light and dark and paints its own background.</summary>
    public static string Standalone(Chart chart)
    {
        const double Margin = 24;
        var picture = Draw(chart, PictureSize.Wide);
        var (width, height) = (Svg.Number(picture.Width + 2 * Margin), Svg.Number(picture.Height + 2 * Margin + 34));
        return $$"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{width}} {{height}}" width="{{width}}" height="{{height}}"
              class="picture" role="img" aria-label="{{Label(chart)}}" font-size="{{PictureSize.Wide.FontSize}}">
            <style>
            svg { {{PictureStyle.LightColours}} }
            @media (prefers-color-scheme: dark) { svg { {{PictureStyle.DarkColours}} } }
            .picture .background { fill: var(--bg); }
            .picture .title { font-size: 17px; font-weight: 650; }
            {{PictureStyle.Rules}}
            </style>
            <rect width="100%" height="100%" rx="8" class="background"/>
            <text x="{{Margin}}" y="{{Margin + 14}}" class="title">{{Svg.Encode(chart.Title)}}</text>
            <g transform="translate({{Margin}} {{Margin + 34}})">{{picture.Content}}</g>
            </svg>

            """;
    }

    /// <summary>The same picture for inside a page, which brings the colours.</summary>
    public static string Inline(Chart chart, PictureSize size)
    {
        var picture = Draw(chart, size);
        return $"<svg class=\"picture {size.Name}\" viewBox=\"0 0 {Svg.Number(picture.Width)} {Svg.Number(picture.Height)}\" "
            + $"role=\"img\" aria-label=\"{Label(chart)}\" font-size=\"{size.FontSize}\">{picture.Content}</svg>";
    }

    public static bool IsEmpty(Chart chart) => !chart.Series.Any(s => s.Points.Any(p => CanShow(chart, p)));

    /// <summary>Notes that a reader needs to understand the picture correctly; empty if there are none.</summary>
    public static string Note(Chart chart)
    {
        var notes = new List<string>();
        if (chart.Series.Any(s => s.Role == SeriesRole.Published && s.Points.Any(p => CanShow(chart, p))))
        {
            notes.Add("Dashed: published figures from other machines and years, for shape only.");
        }

        if (chart.Series.Sum(s => s.Points.Count(p => IsLost(chart, p))) is > 0 and var lost)
        {
            notes.Add($"{lost} {(lost == 1 ? "value" : "values")} at or below zero cannot be shown on a logarithmic axis.");
        }

        if (chart.Kind == ChartKind.Lines
            && chart.Series.Where(s => !s.Points.Any(p => CanShow(chart, p))).Select(s => s.Name).ToList() is { Count: > 0 } empty
            && !IsEmpty(chart))
        {
            notes.Add($"Nothing to draw for {string.Join(", ", empty)}.");
        }

        return string.Join(" ", notes);
    }

    private static bool CanShow(Chart chart, Point point) =>
        chart.Kind == ChartKind.Bars ? BarChart.CanShow(point) : LineChart.CanShow(chart, point);

    private static bool IsLost(Chart chart, Point point) => double.IsFinite(point.X) && double.IsFinite(point.Y) && !CanShow(chart, point);

    private static string Label(Chart chart) => Svg.Encode($"{chart.Title}. {chart.Description}");

    private static Picture Draw(Chart chart, PictureSize size)
    {
        if (!IsEmpty(chart))
        {
            ChartDrawing drawing = chart.Kind == ChartKind.Bars ? new BarChart(chart, size) : new LineChart(chart, size);
            return drawing.Draw();
        }

        var nothing = new Svg();
        nothing.Text(0, 30, "Nothing was measured for this picture.", "axis");
        return new Picture(size.Width, 48, nothing.ToString());
    }
}
