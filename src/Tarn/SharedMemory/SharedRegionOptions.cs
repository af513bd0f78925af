namespace Tarn;

/// <summary>
/// How to create a <see cref="SharedRegion"/>, <see cref="SharedRing"/>, <see cref="SharedQueue"/>, <see cref="SharedTopic"/> or
/// <see cref="SharedValue{T}"/>, and whether to open those of other users.
/// </summary>
public sealed record SharedRegionOptions
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

    /// <summary>
    /// Whether to open a region that another user created; by default, only those of this user and of root. Another user can shorten the
    /// file, which ends each process that accesses the missing part. Windows has no user numbers: the permissions of the directory apply.
    /// </summary>
    public bool AllowOtherUsers { get; init; }

    /// <summary>
    /// Whether a call on a <see cref="SharedRing"/> that waits for an exited process waits for its successor, and throws no
    /// <see cref="SharedPeerLostException"/>; false by default. For services of which either side may restart at any time. The call still
    /// throws when the ring's name was removed, because no successor can open the ring then.
    /// </summary>
    public bool AwaitsSuccessor { get; init; }

    /// <summary>
    /// Whether a task that awaits a ring, a queue or a topic may continue on the thread that waits; false by default, when the thread pool
    /// continues it. True saves the wake of a second thread, most of the time that a message takes to a task that sleeps. The code that
    /// continues there, up to its next await of something that has not come, holds up all waits of this process with this option: it must
    /// neither block nor take long. The option of the same name of <see cref="System.Threading.Channels.ChannelOptions"/> is alike.
    /// </summary>
    public bool AllowSynchronousContinuations { get; init; }
}
