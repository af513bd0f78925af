namespace Tarn.Lab.Model;

/// <summary>A single number without a peer: bytes allocated for an operation, a share of slack, seconds.</summary>
internal sealed record Figure
{
    /// <summary>Stable and unique among figures and comparisons.</summary>
    public required string Id { get; init; }

    public required string Title { get; init; }

    public required double Value { get; init; }

    /// <summary><c>ns</c>, <c>B</c>, <c>s</c>, or empty for a share of one.</summary>
    public required string Unit { get; init; }

    /// <summary>The largest value that the project accepts; null if there is no bound.</summary>
    public double? Bound { get; init; }
}
