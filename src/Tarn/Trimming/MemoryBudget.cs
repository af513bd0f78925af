namespace Tarn;

/// <summary>A hard cap on bytes: what was granted and not given back never passes <see cref="Limit"/> as it stood at the grant.</summary>
/// <remarks>
/// Only slow paths ask: a thread cache asks for room for several buffers at once and then fills and empties it without asking, so what
/// is granted is an upper bound of what is kept. All members are safe to call from any thread; the limit is moved by one at a time.
/// </remarks>
internal sealed class MemoryBudget(long cap)
{
    /// <summary>Under memory pressure the limit is cut to this share of what is kept, and never below this share of the cap.</summary>
    private const int PressureShare = 2;

    private const int LeastShareOfCap = 16;

    private long _limit = cap;
    private long _granted;

    /// <summary>What the limit is as long as memory is not scarce, in bytes.</summary>
    internal long Cap { get; private set; } = cap;

    /// <summary>The cap as it is at the moment, in bytes; lowering it takes nothing back by itself.</summary>
    internal long Limit
    {
        get => Volatile.Read(ref _limit);
        set => Volatile.Write(ref _limit, value);
    }

    /// <summary>Bytes granted and not yet given back.</summary>
    internal long Granted => Volatile.Read(ref _granted);

    /// <summary>Grants <paramref name="bytes"/>, or nothing at all.</summary>
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

    /// <summary>Nothing is granted from now on; what was granted can be given back.</summary>
    internal void Close()
    {
        Cap = 0;
        Limit = 0;
    }

    /// <summary>Gives granted bytes back.</summary>
    internal void Release(long bytes) => Interlocked.Add(ref _granted, -bytes);

    /// <summary>
    /// Moves the limit, once a tick: under pressure to half of what is kept, each time; then back towards the cap, doubling.
    /// </summary>
    /// <returns>How many bytes more are granted than memory that is scarce allows: they are to be given up. 0 for none.</returns>
    internal long AdjustLimit(bool memoryIsScarce)
    {
        if (memoryIsScarce)
        {
            Limit = Math.Max(Cap / LeastShareOfCap, Math.Min(Limit, Granted / PressureShare));
            return Math.Max(0, Granted - Limit);
        }

        if (Limit < Cap)
        {
            Limit = Limit > Cap / 2 ? Cap : Math.Max(1, Limit * 2);
        }

        return 0;
    }

    /// <summary>
    /// Nothing is kept any more, so the limit is the cap again: a cut one can be less than a buffer, and then nothing would ever be kept
    /// and wake the clock, which makes it rise.
    /// </summary>
    internal void RestoreLimit() => Limit = Cap;
}
