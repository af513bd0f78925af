namespace Tarn.Tool.Rings;

/// <summary>The shared memory of a machine at one moment. This is what <c>tarn rings --json</c> writes. Sizes are bytes.</summary>
internal sealed record RingsSnapshot
{
    /// <summary>Raised when a name or a meaning changes.</summary>
    public const int CurrentFormat = 1;

    public required int Format { get; init; }

    /// <summary>When it was read.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>Where the files are.</summary>
    public required string Folder { get; init; }

    /// <summary>The time over which messages were counted; 0 if they were not.</summary>
    public required double Seconds { get; init; }

    /// <summary>What has a name of Tarn's there, by name.</summary>
    public required IReadOnlyList<RegionEntry> Regions { get; init; }

    /// <summary>What became of those whose creators have exited; null if nobody asked to delete any.</summary>
    public required IReadOnlyList<RegionDeletion>? Deletions { get; init; }
}
