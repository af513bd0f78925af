namespace Tarn;

/// <summary>How a <see cref="SharedRegion"/> is made. Opening one takes none: it is as it was made.</summary>
public sealed record SharedRegionOptions
{
    /// <summary>
    /// Which users may open it: exactly these Unix permission bits, whatever the process's umask. Opening asks for reading and writing. On
    /// Windows the permissions of the directory for temporary files count instead. By default only the user who made it.
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
}
