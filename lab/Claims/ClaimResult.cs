namespace Tarn.Lab.Claims;

/// <summary>A claim as measured here.</summary>
internal sealed record ClaimResult
{
    public required string Id { get; init; }

    /// <summary>The sentence with the figure in it.</summary>
    public required string Sentence { get; init; }

    /// <summary>The figure as documents show it.</summary>
    public required string Figure { get; init; }

    /// <summary>The worst of the evidence.</summary>
    public required double Value { get; init; }

    public required double Bound { get; init; }

    public required bool Holds { get; init; }

    public required IReadOnlyList<ClaimEvidence> Evidence { get; init; }
}
