namespace Tarn.SharedMemory;

/// <summary>When to look again for processes that are gone: ten times a second, whatever the number of threads that ask.</summary>
internal struct LookClock
{
    private long _next;

    /// <summary>Whether it is time, which is said once.</summary>
    internal bool IsTime()
    {
        long now = Environment.TickCount64;
        long next = Volatile.Read(ref _next);
        return now >= next && Interlocked.CompareExchange(ref _next, now + WaitingSide.MillisecondsBetweenLooks, next) == next;
    }
}
