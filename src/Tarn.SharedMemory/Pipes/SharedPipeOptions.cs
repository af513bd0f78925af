namespace Tarn.SharedMemory;

/// <summary>How a <see cref="SharedPipe"/> connects, and how a <see cref="SharedPipeListener"/> listens.</summary>
public sealed class SharedPipeOptions
{
    /// <summary>
    /// The users who may open what this side creates: exactly these Unix permission bits, whatever the process's umask. For a listener,
    /// those who may connect; for a client, those as whom the listener may run. They need read and write access. On Windows, the
    /// permissions of the directory for temporary files apply instead. By default, only this user.
    /// </summary>
    public UnixFileMode Mode { get; init; } = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Whether to open what another user at the other side created; by default, only what this user or root did. Another user can shorten
    /// the file, which ends each process that accesses the missing part. Windows has no user numbers: the permissions of the directory
    /// apply.
    /// </summary>
    public bool AllowOtherUsers { get; init; }

    /// <summary>
    /// Whether tasks that wait for the other side may continue on the thread that waits, as with
    /// <see cref="SharedRing.AllowSynchronousContinuations"/>; false by default.
    /// </summary>
    public bool AllowSynchronousContinuations { get; init; }

    /// <summary>How to create what goes with this process.</summary>
    internal SharedRegionOptions Creation => new() { Mode = Mode };

    /// <summary>Whether to open what another user created.</summary>
    internal static bool AllowsOthers(SharedPipeOptions? options) => options is { AllowOtherUsers: true };

    /// <summary>Makes a ring's tasks continue as the options say.</summary>
    internal static SharedRing Apply(SharedPipeOptions? options, SharedRing ring)
    {
        ring.AllowSynchronousContinuations = options is { AllowSynchronousContinuations: true };
        return ring;
    }
}
