using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Records the times of one thread's single calls, and separates the calls during which the system gave the processor to another thread.
/// </summary>
/// <remarks>
/// After a slow call the timer asks the system how often the thread lost its processor. If only preemptions were added since the last
/// question, they were inside the call: a preemption between two calls shows as a slow gap, after which the timer asks again. A call that
/// also waited counts as kept, because the wait may be its own doing. A call that only yields, as a thread does that finds a short lock
/// held for long, cannot be told from a preempted one.
/// </remarks>
internal sealed class CallTimer(int kinds, Func<ThreadSwitches> readSwitches)
{
    /// <summary>A preemption is longer: another thread ran in the meantime. Faster calls and gaps cost no question.</summary>
    private static readonly long s_slow = Stopwatch.Frequency / 50_000;

    private readonly CallTimes[] _times = [.. Enumerable.Range(0, kinds).Select(_ => new CallTimes())];
    private long _lastEnd;
    private ThreadSwitches _seen;

    public CallTimer(int kinds)
        : this(kinds, ThreadSwitches.Read)
    {
    }

    public IReadOnlyList<CallTimes> Times => _times;

    /// <summary>Forgets all calls, and begins with those of the calling thread.</summary>
    public void Begin()
    {
        foreach (CallTimes times in _times)
        {
            times.Clear();
        }

        _seen = readSwitches();
        _lastEnd = Stopwatch.GetTimestamp();
    }

    /// <param name="kind">The kind of the call.</param>
    /// <param name="start">The time before the call.</param>
    /// <param name="end">The time after it.</param>
    public void Note(int kind, long start, long end)
    {
        bool isPreempted = (end - start > s_slow || start - _lastEnd > s_slow) && NoteSlow(end - start);
        CallTimes times = _times[kind];
        (isPreempted ? times.Preempted : times.Kept).Record(end - start);
        _lastEnd = end;
    }

    private bool NoteSlow(long took)
    {
        ThreadSwitches now = readSwitches();
        ThreadSwitches before = _seen;
        _seen = now;
        return took > s_slow && now.Preemptions > before.Preemptions && now.Waits == before.Waits;
    }
}
