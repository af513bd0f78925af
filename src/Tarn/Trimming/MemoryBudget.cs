namespace Tarn;

/// <summary>A hard cap on bytes: the bytes granted and not returned never exceed the value of <see cref="Limit"/> at the grant.</summary>
/// <remarks>
/// Only slow paths use it: a thread cache requests room for several buffers at once and then fills and empties that room freely, so the
/// granted bytes are an upper bound of the bytes kept. All members are safe to call from any thread, except that one thread at a time
/// adjusts the limit.
/// </remarks>
internal sealed class MemoryBudget(long cap)
{
    /// <summary>
    /// The divisor of a cut: memory pressure cuts the limit to this share of the kept bytes, but never below this share of the cap.
    /// </summary>
    private const int PressureShare = 2;

    private const int LeastShareOfCap = 16;

    /// <summary>The limit of a closed budget. It is final: a tick that adjusts the limit at the same time does not reopen it.</summary>
    private const long Closed = -1;

    private long _limit = cap;
    private long _granted;

    /// <summary>The limit while memory is not scarce, in bytes.</summary>
    internal long Cap { get; } = cap;

    /// <summary>The current cap, in bytes, or -1 once closed. Lowering it takes nothing back by itself.</summary>
    internal long Limit
    {
        get => Volatile.Read(ref _limit);
        set => Volatile.Write(ref _limit, value);
    }

    /// <summary>Bytes granted and not yet returned.</summary>
    internal long Granted => Volatile.Read(ref _granted);

    /// <summary>Grants <paramref name="bytes"/>, all or nothing.</summary>
    internal bool TryReserve(long bytes)
    {
        long granted = Volatile.Read(ref _granted);
        while (bytes <= Limit - granted)
        {
            long seen = Interlocked.CompareExchange(ref _granted, granted + bytes, granted);
            if (seen == granted)
            {
                return true;
            }

            granted = seen;
        }

        return false;
    }

    /// <summary>Refuses all further grants. Granted bytes can still be returned.</summary>
    internal void Close() => Limit = Closed;

    /// <summary>Returns granted bytes.</summary>
    internal void Release(long bytes) => Interlocked.Add(ref _granted, -bytes);

    /// <summary>
    /// Adjusts the limit, once a tick: to half of the kept bytes while memory is scarce, and otherwise back towards the cap by doubling.
    /// </summary>
    /// <returns>The granted bytes that exceed the limit while memory is scarce and must be given up; 0 if there are none.</returns>
    internal long AdjustLimit(bool memoryIsScarce)
    {
        long limit = Limit;
        if (memoryIsScarce)
        {
            ReplaceLimit(limit, Math.Max(Cap / LeastShareOfCap, Math.Min(limit, Granted / PressureShare)));
            return Math.Max(0, Granted - Math.Max(0, Limit));
        }

        if (limit < Cap)
        {
            ReplaceLimit(limit, limit > Cap / 2 ? Cap : Math.Max(1, limit * 2));
        }

        return 0;
    }

    /// <summary>
    /// Resets the limit to the cap, because nothing is kept any more. A cut limit can be smaller than a buffer; then nothing would ever be
    /// kept that wakes the clock, which raises the limit.
    /// </summary>
    internal void RestoreLimit() => ReplaceLimit(Limit, Cap);

    /// <summary>Replaces the limit unless the budget is closed, or is being closed.</summary>
    private void ReplaceLimit(long seen, long limit)
    {
        if (seen != Closed)
        {
            Interlocked.CompareExchange(ref _limit, limit, seen);
        }
    }
}
