namespace Tarn.Tool.Rings;

/// <summary>What is in a ring, a queue, a topic or a value. Positions, capacity and lag count in <see cref="Unit"/>.</summary>
internal sealed record RegionContents
{
    /// <summary>What positions count: bytes, messages or values.</summary>
    public required string Unit { get; init; }

    /// <summary>How many it holds; null if it does not fill up.</summary>
    public required long? Capacity { get; init; }

    /// <summary>The length of the longest message, or of the value.</summary>
    public required long LongestBytes { get; init; }

    /// <summary>The processes that hold roles in it, or held them and ended.</summary>
    public required IReadOnlyList<RegionSide> Sides { get; init; }

    /// <summary>How far was written since it was created.</summary>
    public required long WritePosition { get; init; }

    /// <summary>How far was read; null if readers have positions of their own, or none.</summary>
    public required long? ReadPosition { get; init; }

    /// <summary>What was written and not read; of several readers, for the one furthest behind. Null if nothing waits to be read.</summary>
    public required long? Lag { get; init; }

    /// <summary>The messages of a queue that were never published, because their writers ended or gave up.</summary>
    public long? Skipped { get; init; }

    /// <summary>The messages of a queue that came to another reader, because theirs ended or gave up.</summary>
    public long? Returned { get; init; }
}
