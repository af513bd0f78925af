using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

/// <summary>Something to trim that keeps a number of bytes and sleeps when it keeps none.</summary>
internal sealed class ScheduledSource : ITrimmable
{
    private int _kept;
    private int _ticks;

    internal ScheduledSource(ManualClock clock, TimeSpan idleTimeout) => Schedule = new TrimSchedule(this, clock.Trim, idleTimeout);

    internal TrimSchedule Schedule { get; }

    internal int Ticks => Volatile.Read(ref _ticks);

    internal bool Keeps => Volatile.Read(ref _kept) > 0;

    /// <summary>Runs once, after the source was found to keep nothing and before it sleeps.</summary>
    internal Action? OnceBeforeSleep { get; set; }

    /// <summary>Runs once, when the source sleeps already and is about to look a last time.</summary>
    internal Action? OnceAsleep { get; set; }

    internal void Add(int bytes)
    {
        Interlocked.Add(ref _kept, bytes);
        Schedule.Wake();
    }

    internal void Remove(int bytes) => Interlocked.Add(ref _kept, -bytes);

    public long KeptBytes => 0;

    public long KeptGarbage => 0;

    public void GiveWay(long bytes, bool onlyUnneeded)
    {
    }

    public void GiveUpAll()
    {
    }

    public bool OnTick(TrimOccasion occasion)
    {
        Interlocked.Increment(ref _ticks);
        return Schedule.StayAwakeIf(Look);
    }

    private bool Look()
    {
        if (!Schedule.IsAwake)
        {
            Action? asleep = OnceAsleep;
            OnceAsleep = null;
            asleep?.Invoke();
        }

        bool keeps = Keeps;
        if (!keeps)
        {
            Action? before = OnceBeforeSleep;
            OnceBeforeSleep = null;
            before?.Invoke();
        }

        return keeps;
    }
}
