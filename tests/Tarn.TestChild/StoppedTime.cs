namespace Tarn.TestChild;

/// <summary>Time in which no timer fires: the runtime's own threads, which run timers, end a process that has no memory for them.</summary>
internal sealed class StoppedTime : TimeProvider
{
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();

    internal static TrimClock CreateClock() => new(new StoppedTime(), static () => false, followsCollections: false);

    private sealed class NoTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }
}
