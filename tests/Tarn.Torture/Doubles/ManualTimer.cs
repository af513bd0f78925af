namespace Tarn.Torture.Doubles;

/// <summary>A timer of <see cref="ManualTime"/>. It refuses the same values as the system's timer.</summary>
internal sealed class ManualTimer(ManualTime time, Action callback) : ITimer
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    private long _period;
    private long _dueAt = long.MaxValue;

    /// <summary>The timestamp of the next call; <see cref="long.MaxValue"/> when there is none.</summary>
    internal long DueAt => Volatile.Read(ref _dueAt);

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dueTime, s_longest);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(period, s_longest);
        Volatile.Write(ref _period, period == Timeout.InfiniteTimeSpan ? 0 : period.Ticks);
        Volatile.Write(ref _dueAt, dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks);
        return true;
    }

    public void Dispose() => Volatile.Write(ref _dueAt, long.MaxValue);

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>Arms the next call and makes this one.</summary>
    internal void Fire()
    {
        Volatile.Write(ref _dueAt, _period == 0 ? long.MaxValue : DueAt + _period);
        callback();
    }
}
