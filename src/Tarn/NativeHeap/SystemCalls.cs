namespace Tarn.Native;

/// <summary>
/// Counts the calls to the system in progress about memory that no other thread can reach, so that the owner's end can wait for them.
/// </summary>
/// <remarks>
/// A call to the system may take long, so it must not hold a lock that callers need. Under its lock, the memory's owner takes the memory
/// out of everyone's reach and enters. It makes the call without the lock. Then, under the lock, it puts the memory where it now belongs
/// and leaves. Between the two, nothing may throw: a call that never leaves would keep the owner from ending. All members except
/// <see cref="End"/> are called under the owner's lock.
/// </remarks>
internal sealed class SystemCalls
{
    private int _running;
    private volatile bool _hasEnded;

    /// <summary>Whether the memory is about to be released, or was.</summary>
    internal bool HasEnded => _hasEnded;

    /// <summary>Begins a call: memory that this thread took out of reach is not released until <see cref="Leave"/>.</summary>
    internal void Enter() => _running++;

    internal void Leave() => Volatile.Write(ref _running, _running - 1);

    /// <summary>Prevents further calls from beginning.</summary>
    internal void Close() => _hasEnded = true;

    /// <summary>Waits until the calls in progress have ended. Call it without the lock, after <see cref="Close"/>.</summary>
    internal void End()
    {
        while (Volatile.Read(ref _running) > 0)
        {
            // An exception would leave the memory.
            Uninterrupted.Yield();
        }
    }
}
