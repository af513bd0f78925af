namespace Tarn.Pages;

/// <summary>Names beside the ends of lines, moved apart where lines end close together.</summary>
internal static class EndLabels
{
    private const double Swatch = 36;
    private const double Offset = 22;
    private const double WidestText = 214;

    public static double WidthFor(IReadOnlyList<SeriesLook> looks, PictureSize size) =>
        Offset + Swatch + 4
        + looks.SelectMany(l => Wrap(l.Series.Name, size)).Select(line => Svg.WidthOf(line, size.FontSize)).DefaultIfEmpty(0).Max();

    public static double HeightFor(IReadOnlyList<SeriesLook> looks, PictureSize size) => looks.Sum(l => Height(l, size));

    public static void Draw(
        Svg svg, IEnumerable<(SeriesLook Look, double X, double Y)> ends, double right, double top, double bottom, PictureSize size)
    {
        var ordered = ends.OrderBy(e => e.Y).ToList();
        var heights = ordered.Select(e => Height(e.Look, size)).ToList();
        var centres = Spread(ordered.Select(e => e.Y).ToList(), heights, top, bottom);
        for (var i = 0; i < ordered.Count; i++)
        {
            var (look, x, y) = ordered[i];
            svg.Raw(look.Group);
            // A line that ends early is found by its marker; a leader across the plot would look like data.
            if (right - x < 30)
            {
                svg.Path($"M{Svg.Number(x + 6)} {Svg.Number(y)}L{Svg.Number(right + Offset - 4)} {Svg.Number(centres[i])}", "leader");
            }

            look.DrawSwatch(svg, right + Offset, centres[i]);
            var lines = Wrap(look.Series.Name, size);
            for (var line = 0; line < lines.Length; line++)
            {
                var baseline = centres[i] + size.FontSize * 0.35 + (line - (lines.Length - 1) / 2.0) * (size.FontSize + 2);
                svg.Text(right + Offset + Swatch, baseline, lines[line], look.IsOurs ? "strong" : "name");
            }

            svg.Raw("</g>");
        }
    }

    /// <summary>The centres nearest to the wanted ones, in the same order, no two overlapping, all between top and bottom.</summary>
    internal static double[] Spread(IReadOnlyList<double> wanted, IReadOnlyList<double> heights, double top, double bottom)
    {
        var centres = wanted.ToArray();
        var edge = top;
        for (var i = 0; i < centres.Length; i++)
        {
            centres[i] = Math.Max(centres[i], edge + heights[i] / 2);
            edge = centres[i] + heights[i] / 2;
        }

        edge = bottom;
        for (var i = centres.Length - 1; i >= 0; i--)
        {
            centres[i] = Math.Min(centres[i], edge - heights[i] / 2);
            edge = centres[i] - heights[i] / 2;
        }

        return centres;
    }

    private static double Height(SeriesLook look, PictureSize size) => 6 + Wrap(look.Series.Name, size).Length * (size.FontSize + 2);

    /// <summary>One line where it fits, else two; what fits in neither is cut.</summary>
    private static string[] Wrap(string name, PictureSize size)
    {
        if (Svg.WidthOf(name, size.FontSize) <= WidestText)
        {
            return [name];
        }

        // Names of types have no spaces: they break before a dot or an angle bracket.
        var cut = Enumerable.Range(1, name.Length - 1)
            .Where(i => name[i] is ' ' or '.' or '<' && Svg.WidthOf(name[..i], size.FontSize) <= WidestText)
            .LastOrDefault();
        return cut == 0
            ? [Svg.Fit(name, WidestText, size.FontSize)]
            : [name[..cut], Svg.Fit(name[cut..].TrimStart(), WidestText, size.FontSize)];
    }
}
