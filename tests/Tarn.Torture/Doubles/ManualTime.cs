namespace Tarn.Torture.Doubles;

/// <summary>Time that stands still until a test moves it.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private long _ticks;
    private long _fired;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>How often a timer fired so far.</summary>
    internal long Fired => Volatile.Read(ref _fired);

    public override long GetTimestamp() => Volatile.Read(ref _ticks);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, () => callback(state));
        timer.Change(dueTime, period);
        lock (_lock)
        {
            _timers.Add(timer);
        }

        return timer;
    }

    /// <summary>Advances the time and fires the timers that fall due, on this thread and in order.</summary>
    internal void Advance(TimeSpan by)
    {
        long end = GetTimestamp() + by.Ticks;
        while (NextDue(end) is { } timer)
        {
            Volatile.Write(ref _ticks, Math.Max(GetTimestamp(), timer.DueAt));
            Interlocked.Increment(ref _fired);
            timer.Fire();
        }

        Volatile.Write(ref _ticks, end);
    }

    /// <summary>Moves time on and fires nothing.</summary>
    internal void Skip(TimeSpan by) => Interlocked.Add(ref _ticks, by.Ticks);

    private ManualTimer? NextDue(long end)
    {
        lock (_lock)
        {
            return _timers.Where(timer => timer.DueAt <= end).MinBy(static timer => timer.DueAt);
        }
    }
}
