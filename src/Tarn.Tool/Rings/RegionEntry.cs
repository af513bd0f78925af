using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>A file of shared memory, and what is in it.</summary>
/// <param name="Name">The name to open it by.</param>
internal sealed record RegionEntry(string Name)
{
    /// <summary>The kind of its contents; null if it is no region that this version knows.</summary>
    public RegionKind? Kind { get; init; }

    /// <summary>Why it cannot be read, or what is wrong in it; null if nothing is.</summary>
    public string? Problem { get; init; }

    /// <summary>The length of the file.</summary>
    public long FileBytes { get; init; }

    /// <summary>The number of the user that it belongs to; null on Windows, and if it is not known.</summary>
    public long? User { get; init; }

    /// <summary>Whether that is the user who asks; true where users have no numbers.</summary>
    public bool IsOwn { get; init; } = true;

    /// <summary>The process that created it; null if it is not known.</summary>
    public RegionSide? Creator { get; init; }

    /// <summary>Whether it is to outlive its creator; null if it is not known.</summary>
    public bool? IsPersistent { get; init; }

    /// <summary>What is in it; null for the user's own bytes, and if it cannot be read.</summary>
    public RegionContents? Contents { get; init; }

    /// <summary>What passed through it in the time of the snapshot; null if nothing was counted.</summary>
    public RegionRate? Rate { get; init; }

    /// <summary>The number that no other region has, to tell one from the next of the same name.</summary>
    public Guid? Id { get; init; }
}
