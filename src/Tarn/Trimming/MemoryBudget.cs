namespace Tarn;

/// <summary>A hard cap on bytes: the bytes granted and not returned never exceed the value of <see cref="Limit"/> at the grant.</summary>
/// <remarks>
/// <para>Only slow paths use it: a thread cache requests room for several buffers at once and then fills and empties that room freely, so
/// the granted bytes are an upper bound of the bytes kept.</para>
/// <para>The budget of a pool or heap grants only what it has drawn from the <see cref="ProcessBudget"/>: <c>granted ≤ drawn</c>, except
/// for room that a heap takes without asking, until <see cref="Settle"/>. It draws in steps, so that threads of many pools seldom meet at
/// the process's counter, and a tick gives back what it does not need.</para>
/// <para>All members are safe to call from any thread, except that one thread at a time adjusts the limit.</para>
/// </remarks>
/// <param name="cap">The limit while memory is not scarce, in bytes or buffers.</param>
/// <param name="process">What the budget draws on; null for one that counts something else than kept bytes.</param>
/// <param name="isChosen">Whether the user set the cap: <see cref="ProcessBudget"/> has a ceiling of its own for those.</param>
internal sealed class MemoryBudget(long cap, ProcessBudget? process = null, bool isChosen = false)
{
    /// <summary>Memory pressure cuts the limit to the kept bytes by this divisor, but never below the cap by the next.</summary>
    private const int PressureDivisor = 2;

    private const int LeastCapDivisor = 16;

    /// <summary>A step is one part in this many of the bytes drawn, within limits.</summary>
    private const int StepDivisor = 4;

    private const long LeastStep = 64 << 10;
    private const long MostStep = 4 << 20;

    private readonly long _cap = cap;
    private long _limit = cap;
    private long _granted;

    /// <summary>The bytes drawn from the process's budget and not given back.</summary>
    private long _drawn = process is null ? long.MaxValue : 0;
    private volatile bool _isClosed;
    private volatile bool _hasLeft;

    /// <summary>The time of the last adjustment, and whether memory was scarce then.</summary>
    private TimeSpan _adjustedAt;
    private bool _wasScarce;

    /// <summary>The limit while memory is not scarce, in bytes.</summary>
    internal long Cap => _isClosed ? 0 : _cap;

    /// <summary>The current cap, in bytes. Lowering it takes nothing back by itself.</summary>
    internal long Limit
    {
        get => _isClosed ? 0 : Volatile.Read(ref _limit);
        set => Volatile.Write(ref _limit, value);
    }

    /// <summary>Bytes granted and not yet returned.</summary>
    internal long Granted => Volatile.Read(ref _granted);

    /// <summary>Grants <paramref name="bytes"/>, all or nothing.</summary>
    internal bool TryReserve(long bytes)
    {
        long granted = Granted;
        while (bytes <= Limit - granted)
        {
            if (granted + bytes > Volatile.Read(ref _drawn) && !TryDraw(granted + bytes))
            {
                return false;
            }

            long seen = Interlocked.CompareExchange(ref _granted, granted + bytes, granted);
            if (seen == granted)
            {
                return IsCovered(bytes);
            }

            granted = seen;
        }

        return false;
    }

    /// <summary>Whether it was the process's budget that refused these bytes just now.</summary>
    internal bool IsRefusedByProcess(long bytes)
    {
        long granted = Granted;
        return bytes <= Limit - granted && granted + bytes > Volatile.Read(ref _drawn) && !_hasLeft;
    }

    /// <summary>Refuses all further grants. Granted bytes can still be returned.</summary>
    internal void Close()
    {
        _isClosed = true;
        Leave();
    }

    /// <summary>Gives everything back to the process's budget, because the pool or heap has ended.</summary>
    internal void Leave()
    {
        if (process is not null)
        {
            _hasLeft = true;
            process.Return(Interlocked.Exchange(ref _drawn, 0), isChosen);
        }
    }

    /// <summary>Returns granted bytes.</summary>
    internal void Release(long bytes) => Interlocked.Add(ref _granted, -bytes);

    /// <summary>
    /// Adjusts the limit, once in each <paramref name="period"/> and when memory becomes scarce or ceases to be, however often it is
    /// called: to half of the kept bytes while memory is scarce, and otherwise back towards the cap by doubling.
    /// </summary>
    /// <returns>The granted bytes that exceed the limit while memory is scarce and must be given up; 0 if there are none.</returns>
    internal long AdjustLimit(TrimOccasion occasion, TimeSpan period)
    {
        // A tick may be slightly early.
        bool isScarce = occasion.MemoryIsScarce;
        if (isScarce != _wasScarce || occasion.Now - _adjustedAt >= period / 4 * 3)
        {
            _wasScarce = isScarce;
            _adjustedAt = occasion.Now;
            long limit = Limit;
            if (isScarce)
            {
                Limit = Math.Max(_cap / LeastCapDivisor, Math.Min(limit, Granted / PressureDivisor));
            }
            else if (limit < _cap)
            {
                Limit = limit > _cap / 2 ? _cap : Math.Max(1, limit * 2);
            }
        }

        Settle();
        return isScarce ? Math.Max(0, Granted - Limit) : 0;
    }

    /// <summary>
    /// Resets the limit to the cap, because nothing is kept any more. A cut limit can be smaller than a buffer; then nothing would ever be
    /// kept that wakes the clock, which raises the limit.
    /// </summary>
    internal void RestoreLimit()
    {
        Limit = _cap;
        Settle();
    }

    /// <summary>
    /// Gives the process's budget back what is drawn beyond the granted bytes and a step, and draws what was taken unasked.
    /// </summary>
    /// <param name="keepsStep">Whether to keep a step for grants to come.</param>
    internal void Settle(bool keepsStep = true)
    {
        if (process is null || _hasLeft)
        {
            return;
        }

        long drawn = Volatile.Read(ref _drawn);
        long granted = Granted;
        long kept = granted <= 0 ? 0 : granted + (keepsStep ? StepOf(granted) : 0);
        if (drawn > kept && Interlocked.CompareExchange(ref _drawn, kept, drawn) == drawn)
        {
            process.Return(drawn - kept, isChosen);
        }

        // After the exchange, which is a fence: either this sees bytes granted meanwhile, or their grant sees what is left (IsCovered).
        long missing = Granted - Volatile.Read(ref _drawn);
        if (missing > 0)
        {
            process.Take(missing, isChosen);
            Add(missing);
        }
    }

    private static long StepOf(long drawn) => Math.Clamp(drawn / StepDivisor, LeastStep, MostStep);

    /// <summary>Whether the grant just made is still covered by the drawn bytes; takes it back otherwise.</summary>
    private bool IsCovered(long bytes)
    {
        long granted = Granted;
        if (granted <= Volatile.Read(ref _drawn) || TryDraw(granted))
        {
            return true;
        }

        Release(bytes);
        return false;
    }

    /// <summary>
    /// Draws a step, or only the missing bytes if the process has no more room, so that <paramref name="wanted"/> are drawn.
    /// </summary>
    private bool TryDraw(long wanted)
    {
        long drawn = Volatile.Read(ref _drawn);
        long missing = wanted - drawn;
        if (missing <= 0)
        {
            return true;
        }

        if (_hasLeft)
        {
            return false;
        }

        long step = Math.Max(missing, Math.Min(StepOf(drawn), _cap - drawn));
        if (!process!.TryTake(step, isChosen))
        {
            step = missing;
            if (!process.TryTake(step, isChosen))
            {
                return false;
            }
        }

        Add(step);
        return true;
    }

    private void Add(long bytes)
    {
        Interlocked.Add(ref _drawn, bytes);
        if (_hasLeft)
        {
            Leave();
        }
    }
}
