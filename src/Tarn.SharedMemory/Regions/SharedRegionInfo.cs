namespace Tarn.SharedMemory;

/// <summary>A region as <see cref="SharedRegion.List()"/> reports it.</summary>
public readonly record struct SharedRegionInfo
{
    /// <summary>The name to open it by.</summary>
    public required string Name { get; init; }

    /// <summary>Its size in bytes. If this process may not open the region, the size of its file, which includes a header.</summary>
    public long Size { get; init; }

    /// <summary>The id of the process that created it; 0 if this process may not open the region.</summary>
    public int OwnerProcessId { get; init; }

    /// <summary>
    /// Whether that process, rather than a later one with the same id, still runs. Also true where this is unknown; see
    /// <see cref="OwnerIsUnknown"/>.
    /// </summary>
    public bool OwnerIsAlive { get; init; }

    /// <summary>
    /// Whether this process cannot know if the creator still runs: it may not open the region; or the creator, in a container with its own
    /// process ids, disposed a region that outlives it; or the creator runs under another kernel, such as a virtual machine's.
    /// </summary>
    public bool OwnerIsUnknown { get; init; }

    /// <summary>
    /// Whether it is to outlive its creator, because that set <see cref="SharedRegionOptions.DeleteOnDispose"/> to false.
    /// <see cref="SharedRegion.DeleteAbandoned()"/> leaves it. Of one that an earlier version of the library created, this is known only
    /// once its creator has disposed it.
    /// </summary>
    public bool IsPersistent { get; init; }
}
