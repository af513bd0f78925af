namespace Tarn.Torture.Doubles;

/// <summary>A trim clock whose time and memory load a test sets.</summary>
/// <remarks>
/// The clock also ticks after real gen-2 collections, on another thread, unless the test wants no tick but its own, and skips a tick while
/// one is running. So that no tick a test asked for is skipped, <see cref="Tick"/> repeats until one ran on the calling thread.
/// </remarks>
internal sealed class ManualClock
{
    /// <summary>Ticks that ran on this thread, of any clock.</summary>
    [ThreadStatic]
    private static int t_ticks;

    private readonly ManualTime _time = new();
    private volatile bool _memoryIsScarce;

    internal ManualClock(bool followsCollections = true) => Trim = new TrimClock(_time, OnTick, followsCollections);

    /// <summary>The clock for a pool's options.</summary>
    internal TrimClock Trim { get; }

    internal bool MemoryIsScarce
    {
        get => _memoryIsScarce;
        set => _memoryIsScarce = value;
    }

    /// <summary>Moves time on in steps so small that every tick of the timer comes in its turn.</summary>
    internal void Advance(TimeSpan by)
    {
        TimeSpan step = TimeSpan.FromMilliseconds(20);
        for (TimeSpan left = by; left > TimeSpan.Zero; left -= step)
        {
            int before = t_ticks;
            long fired = _time.Fired;
            _time.Advance(left < step ? left : step);
            while (fired != _time.Fired && before == t_ticks)
            {
                Trim.TickDue();
            }
        }
    }

    /// <summary>Lets time pass without a tick, as a timer that is late does.</summary>
    internal void Wait(TimeSpan time) => _time.Skip(time);

    /// <summary>Ticks once now.</summary>
    internal void Tick()
    {
        int before = t_ticks;
        while (t_ticks == before)
        {
            Trim.Tick();
        }
    }

    private bool OnTick()
    {
        t_ticks++;
        return _memoryIsScarce;
    }
}
