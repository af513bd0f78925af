namespace Tarn.SharedMemory;

/// <summary>
/// How to create a <see cref="SharedRegion"/>, <see cref="SharedRing"/>, <see cref="SharedQueue"/>, <see cref="SharedTopic"/> or
/// <see cref="SharedValue{T}"/>.
/// </summary>
public sealed class SharedRegionOptions
{
    /// <summary>
    /// The users who may open it: exactly these Unix permission bits, whatever the process's umask. Opening requires read and write access.
    /// On Windows, the permissions of the directory for temporary files apply instead. By default, only the user who created it. A process
    /// that may open it may shorten its file with other tools, which ends each process that accesses the missing part.
    /// </summary>
    public UnixFileMode Mode { get; init; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Whether the name is removed when the creator disposes the region or exits; true by default. If a signal ends the creator, the name
    /// remains until a process deletes it. If false, the region is to outlive its creator: <see cref="SharedRegion.DeleteAbandoned()"/>
    /// leaves it, and <see cref="SharedRegion.Delete(string)"/> deletes it.
    /// </summary>
    public bool DeleteOnDispose { get; init; } = true;

    /// <summary>
    /// Whether to request huge pages, which use fewer entries of the processor's address cache and round the size up to 2 MiB. The system
    /// may ignore the request. Linux grants it where /sys/kernel/mm/transparent_hugepage/shmem_enabled is "advise", and ignores it where
    /// that is "never".
    /// </summary>
    public bool HugePages { get; init; }
}
