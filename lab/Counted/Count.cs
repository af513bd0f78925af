namespace Tarn.Lab.Counted;

/// <summary>What was done in one place.</summary>
/// <param name="Locks">Locks taken.</param>
/// <param name="HeldLocks">Of these, locks that another thread held.</param>
/// <param name="Interlocked">Interlocked operations other than those that take a lock.</param>
/// <param name="ForeignLines">
/// Locks and interlocked operations whose cache line another thread wrote last, so that a processor has to fetch it from another one.
/// </param>
/// <param name="Fences">Fences of all processors, which are calls to the system.</param>
/// <param name="BusiestLock">How often the lock was taken that was taken most.</param>
public readonly record struct Count(long Locks, long HeldLocks, long Interlocked, long ForeignLines, long Fences, long BusiestLock)
{
    /// <summary>Returns the sum of both, with the busier of their locks.</summary>
    public Count Plus(Count other) => new(
        Locks + other.Locks,
        HeldLocks + other.HeldLocks,
        Interlocked + other.Interlocked,
        ForeignLines + other.ForeignLines,
        Fences + other.Fences,
        Math.Max(BusiestLock, other.BusiestLock));
}
