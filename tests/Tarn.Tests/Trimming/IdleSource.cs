namespace Tarn.Tests.Trimming;

/// <summary>Something to trim that counts how often it was asked.</summary>
internal sealed class IdleSource : ITrimmable
{
    private int _ticks;

    internal int Ticks => Volatile.Read(ref _ticks);

    internal bool Keeps { get; set; } = true;

    internal Action? OnTicked { get; set; }

    internal TrimOccasion Last { get; private set; }

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
        Last = occasion;
        Interlocked.Increment(ref _ticks);
        bool keeps = Keeps;
        OnTicked?.Invoke();
        return keeps;
    }
}
