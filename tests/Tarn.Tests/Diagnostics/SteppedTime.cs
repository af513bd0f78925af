namespace Tarn.Tests.Diagnostics;

/// <summary>Time that passes when a test says so; its timers never fire, the test ticks.</summary>
internal sealed class SteppedTime : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new Still();

    internal void Pass(TimeSpan time) => Interlocked.Add(ref _now, time.Ticks);

    private sealed class Still : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
