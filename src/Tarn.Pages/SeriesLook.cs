namespace Tarn.Pages;

/// <summary>The look that distinguishes a series: a colour, a marker and a role, each sufficient by itself.</summary>
internal sealed record SeriesLook(Series Series, int Index, string Colour, int Marker)
{
    private const int OurColours = 3;
    private const int PeerColours = 9;
    private const int Markers = 8;

    /// <summary>Opens the group that draws the series, or its name; the page finds both by the same number.</summary>
    public string Group => $"<g class=\"series {Series.Role.ToString().ToLowerInvariant()} c-{Colour}\" data-series=\"{Index}\">";

    public bool IsOurs => Series.Role == SeriesRole.Ours;

    public bool IsPublished => Series.Role == SeriesRole.Published;

    /// <summary>A published series named after a measured one (<c>new byte[], published 2021</c>) takes its colour and marker.</summary>
    public static IReadOnlyList<SeriesLook> Assign(IReadOnlyList<Series> series)
    {
        var looks = new SeriesLook?[series.Count];
        int ours = 0, others = 0;
        for (var i = 0; i < series.Count; i++)
        {
            looks[i] = series[i].Role switch
            {
                SeriesRole.Ours => new(series[i], i, $"o{ours % OurColours}", ours++ % Markers),
                SeriesRole.Peer => new(series[i], i, $"p{others % PeerColours}", (others++ + 1) % Markers),
                _ => null,
            };
        }

        for (var i = 0; i < series.Count; i++)
        {
            var measured = looks.Where(l => l is { IsPublished: false } && IsNamedAfter(series[i].Name, l.Series.Name))
                .MaxBy(l => l!.Series.Name.Length);
            looks[i] ??= measured is not null
                ? measured with { Series = series[i], Index = i }
                : new(series[i], i, $"p{others % PeerColours}", (others++ + 1) % Markers);
        }

        return looks!;
    }

    /// <summary>The whole name or whole words of it: <c>MemoryStreamSlim, published</c> is not named after <c>MemoryStream</c>.</summary>
    private static bool IsNamedAfter(string published, string measured) =>
        published.StartsWith(measured, StringComparison.Ordinal)
        && (published.Length == measured.Length || !char.IsLetterOrDigit(published[measured.Length]));

    /// <summary>A marker around the origin; its size makes areas alike.</summary>
    public void DrawMarker(Svg svg, double x, double y, string? title = null)
    {
        var r = IsOurs ? 4.2 : 3.6;
        var data = Marker switch
        {
            0 => $"M{-r} 0a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z",
            1 => Polygon(r * 0.9, (-1, -1), (1, -1), (1, 1), (-1, 1)),
            2 => Polygon(r * 1.2, (0, -1), (1, 0.8), (-1, 0.8)),
            3 => Polygon(r * 1.25, (0, -1), (1, 0), (0, 1), (-1, 0)),
            4 => Polygon(r * 1.2, (0, 1), (1, -0.8), (-1, -0.8)),
            5 => Polygon(
                r * 1.2, (-1, -0.35), (-0.35, -0.35), (-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35),
                (1, 0.35), (0.35, 0.35), (0.35, 1), (-0.35, 1), (-0.35, 0.35), (-1, 0.35)),
            6 => Polygon(r * 1.2, (-0.5, -0.9), (0.5, -0.9), (1, 0), (0.5, 0.9), (-0.5, 0.9), (-1, 0)),
            _ => Polygon(r * 1.2, (-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)),
        };
        var style = IsPublished ? "point open" : "point";
        svg.Raw($"<path d=\"{data}\" transform=\"translate({Svg.Number(x)} {Svg.Number(y)})\" class=\"{style}\"");
        svg.Raw(title is null ? "/>" : $"><title>{Svg.Encode(title)}</title></path>");
    }

    /// <summary>A short piece of the line with its marker, for a legend; 28 wide.</summary>
    public void DrawSwatch(Svg svg, double x, double y)
    {
        svg.Path($"M{Svg.Number(x)} {Svg.Number(y)}h26", "curve");
        DrawMarker(svg, x + 13, y);
    }

    private static string Polygon(double scale, params ReadOnlySpan<(double X, double Y)> corners)
    {
        var data = "";
        foreach (var (x, y) in corners)
        {
            data += $"{(data.Length == 0 ? 'M' : 'L')}{Svg.Number(x * scale)} {Svg.Number(y * scale)}";
        }

        return data + "Z";
    }
}
