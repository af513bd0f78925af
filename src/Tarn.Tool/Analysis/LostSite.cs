namespace Tarn.Tool.Analysis;

/// <summary>A call site whose buffers did not come back.</summary>
internal sealed record LostSite
{
    public required CallSite Site { get; init; }

    public required LossEvidence Evidence { get; init; }

    public required Certainty Certainty { get; init; }

    /// <summary>The buffers that did not come back and count as lost.</summary>
    public required int Buffers { get; init; }

    public required long Bytes { get; init; }

    /// <summary>The tests that rented them.</summary>
    public IReadOnlyList<TestCount> Tests { get; init; } = [];

    /// <summary>All buffers that the site rented during the recording.</summary>
    public required int Rented { get; init; }

    public required int Returned { get; init; }

    /// <summary>The longest time that one of the returned buffers was out.</summary>
    public required long LongestHoldMicroseconds { get; init; }

    /// <summary>The age of the oldest lost buffer at the end of the recording.</summary>
    public required long OldestMicroseconds { get; init; }

    /// <summary>The age of the youngest of them.</summary>
    public required long YoungestMicroseconds { get; init; }
}
