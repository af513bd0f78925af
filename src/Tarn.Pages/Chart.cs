namespace Tarn.Pages;

/// <summary>A picture: lines over a numeric axis, or bars over named categories.</summary>
internal sealed record Chart
{
    public required string Id { get; init; }

    public required string Title { get; init; }

    /// <summary>One sentence that describes the picture, for screen readers.</summary>
    public required string Description { get; init; }

    public required ChartKind Kind { get; init; }

    public required Axis X { get; init; }

    public required Axis Y { get; init; }

    public required IReadOnlyList<Series> Series { get; init; }

    /// <summary>Vertical marks, such as cache sizes.</summary>
    public IReadOnlyList<Mark> Marks { get; init; } = [];

    /// <summary>The categories of a bar chart; a point's X is an index into them.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];
}

internal enum ChartKind
{
    Lines,
    Bars,
}

/// <summary>An axis; <paramref name="Unit"/> is <c>ns</c>, <c>B</c>, <c>s</c>, <c>op/s</c>, <c>GB/s</c> or empty.</summary>
internal sealed record Axis(string Label, string Unit, bool Logarithmic);

internal sealed record Series(string Name, SeriesRole Role, IReadOnlyList<Point> Points);

internal readonly record struct Point(double X, double Y);

internal sealed record Mark(double X, string Label);

/// <summary>Ours is drawn to stand out; published figures (other machines, other years) are drawn dashed.</summary>
internal enum SeriesRole
{
    Ours,
    Peer,
    Published,
}
