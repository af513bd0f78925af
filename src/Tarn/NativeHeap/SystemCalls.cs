namespace Tarn;

/// <summary>
/// Calls to the system that are being made about memory nobody else can reach, and the end of it all, which waits for them.
/// </summary>
/// <remarks>
/// A call to the system may take long, and no lock is held meanwhile that a caller may want: under its lock an owner of memory takes what
/// the call is about out of everybody's reach and enters; it makes the call without the lock; under the lock it puts the memory where it
/// belongs now, and leaves. All members but <see cref="End"/> are called under the owner's lock.
/// </remarks>
internal sealed class SystemCalls
{
    private int _running;
    private volatile bool _hasEnded;

    /// <summary>The memory is about to be released, or was.</summary>
    internal bool HasEnded => _hasEnded;

    /// <summary>What this thread took out of reach stays what it is until <see cref="Leave"/>.</summary>
    internal void Enter() => _running++;

    internal void Leave() => Volatile.Write(ref _running, _running - 1);

    /// <summary>From now on no call may begin.</summary>
    internal void Close() => _hasEnded = true;

    /// <summary>Waits until the calls that run have ended. Without the lock, after <see cref="Close"/>.</summary>
    internal void End()
    {
        SpinWait spin = default;
        while (Volatile.Read(ref _running) > 0)
        {
            spin.SpinOnce();
        }
    }
}
