namespace Tarn;

/// <summary>How a <see cref="SharedRegion"/> or <see cref="SharedRing"/> is made, and whose may be opened.</summary>
public sealed record SharedRegionOptions
{
    /// <summary>
    /// Which users may open it: exactly these Unix permission bits, whatever the process's umask. Opening asks for reading and writing. On
    /// Windows the permissions of the directory for temporary files count instead. By default only the user who made it. Whoever may open it
    /// may shorten its file with other tools, which ends each process that touches what is gone.
    /// </summary>
    public UnixFileMode Mode { get; init; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Whether the name goes when the creator disposes the region, or exits without having done so; by default it does. A creator that a
    /// signal ends leaves the name in any case, until someone deletes it.
    /// </summary>
    public bool DeleteOnDispose { get; init; } = true;

    /// <summary>
    /// Whether huge pages are asked for: fewer entries for the processor's address cache, and a size that counts in units of 2 MiB. A wish
    /// that systems may refuse in silence; Linux grants it where its setting for shared memory
    /// (/sys/kernel/mm/transparent_hugepage/shmem_enabled) is "advise", and ignores it where that is "never".
    /// </summary>
    public bool HugePages { get; init; }

    /// <summary>
    /// Whether a region that another user made may be opened; by default only one's own and root's. Another user can shorten the file,
    /// which ends each process that touches what is gone. Windows has no such numbers of users: the permissions of its directory count.
    /// </summary>
    public bool AllowOtherUsers { get; init; }
}
