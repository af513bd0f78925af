namespace Tarn;

/// <summary>
/// Counts the managed memory that all pools gave up, and collects garbage once they have let go: what they gave up stays resident until
/// then, and an idle program allocates too little to cause a collection.
/// </summary>
/// <remarks>
/// <para>It waits until the pools keep little compared with what they gave up, or have given up nothing for a while, so that a burst causes
/// one collection. It waits while the program is busy, and does nothing for little memory.</para>
/// <para>How much lives is not known before a collection: the rest of the heap may be garbage of the program's own. Where the rest is too
/// large to stop all threads for, a collection in the background finds out, which returns little memory. If it leaves little, a second one
/// returns the memory. So a burst causes two at most, and memory that lives is not collected again and again.</para>
/// <para>The collection stops all threads: for tens of milliseconds with a small heap, and for about a quarter of a second with 500 MiB of
/// living objects. So a program asks for it, by a switch. Native heaps need no collection: they return memory by themselves.</para>
/// <para>It is ticked like a pool while it waits. All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class IdleGarbage : ITrimmable
{
    /// <summary>
    /// The switch of <see cref="AppContext"/> that asks for collections, in a project, in a runtimeconfig file or at any time.
    /// <c>AddTarn</c> of the package Tarn.AspNetCore sets it.
    /// </summary>
    internal const string SwitchName = "Tarn.IdleCollection";

    /// <summary>The least memory given up that is worth a collection, in bytes.</summary>
    internal const long LeastBytes = 2 << 20;

    /// <summary>A collection is worth while for at least one part in this many of the managed heap.</summary>
    private const int LeastHeapDivisor = 16;

    /// <summary>The pools have let go when they keep at most one part in this many of what they gave up.</summary>
    private const int KeptDivisor = 8;

    /// <summary>
    /// The periods of the most patient pool after which it would have given up what was idle at the last look: one more than its timeout.
    /// </summary>
    private const int PeriodsToBeQuiet = 5;

    /// <summary>A program is busy that uses more than one part in this many of a processor.</summary>
    private const int BusyDivisor = 10;

    /// <summary>The living part of the managed heap up to which a collection may stop all threads.</summary>
    private const long SmallHeapBytes = 512 << 20;

    /// <summary>Four times the time between two looks.</summary>
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(2);

    private static long s_collections;

    private readonly TrimClock _clock;
    private readonly TrimSchedule _schedule;

    private long _bytes;

    /// <summary>The bytes that are not worth a collection.</summary>
    private long _ignored = LeastBytes - 1;

    /// <summary>
    /// The bytes at the last look that found more than the one before, and its time. For looks, which come one at a time.
    /// </summary>
    private long _seen;
    private TimeSpan _seenAt;

    /// <summary>The time of the last look and the processor time used by then; null before the first look at these bytes.</summary>
    private (TimeSpan At, TimeSpan Used)? _last;

    /// <summary>The full collections that had ended when one began in the background; null once its end was seen.</summary>
    private long? _endedBefore;

    internal IdleGarbage(TrimClock clock)
    {
        _clock = clock;
        _schedule = new TrimSchedule(this, clock, s_timeout);
    }

    /// <summary>Whether collections are wanted. Tests replace this and the members below.</summary>
    internal Func<bool> IsEnabled { get; init; } =
        static () => Uninterrupted.Get(static () => AppContext.TryGetSwitch(SwitchName, out bool isOn) && isOn);

    /// <summary>The processor time that the process has used.</summary>
    internal Func<TimeSpan> ProcessorTime { get; init; } = static () => Environment.CpuUsage.TotalTime;

    /// <summary>The size of the managed heap with its garbage.</summary>
    internal Func<long> HeapBytes { get; init; } = static () => GC.GetTotalMemory(forceFullCollection: false);

    /// <summary>A number that is another one once a full collection has ended.</summary>
    internal Func<long> EndedCollections { get; init; } = static () =>
        GC.GetGCMemoryInfo(GCKind.Background).Index + GC.GetGCMemoryInfo(GCKind.FullBlocking).Index;

    /// <summary>Collects; the argument is whether the collection may stop all threads.</summary>
    internal Action<bool> Collect { get; init; } = CollectGarbage;

    /// <summary>The collections of the process so far.</summary>
    internal static long Collections => Volatile.Read(ref s_collections);

    /// <inheritdoc/>
    public long KeptBytes => 0;

    /// <inheritdoc/>
    public long KeptGarbage => 0;

    private bool HasMore => _endedBefore is not null || Volatile.Read(ref _bytes) > Volatile.Read(ref _ignored);

    /// <summary>Counts memory that a pool gave up.</summary>
    internal void Add(long bytes)
    {
        if (bytes > 0 && IsEnabled() && Interlocked.Add(ref _bytes, bytes) > Volatile.Read(ref _ignored))
        {
            _schedule.Wake();
        }
    }

    /// <summary>Forgets what was counted, because of a collection.</summary>
    internal void Forget()
    {
        Volatile.Write(ref _bytes, 0);
        Volatile.Write(ref _ignored, LeastBytes - 1);
    }

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        TimeSpan used = ProcessorTime();
        if (_last is not { } last)
        {
            _last = (occasion.Now, used);
            return true;
        }

        // Gen-2 collections tick too, too soon after another look to tell whether the program is busy.
        TimeSpan passed = occasion.Now - last.At;
        if (passed < _schedule.Period / 2)
        {
            return true;
        }

        _last = (occasion.Now, used);
        bool isBusy = (used - last.Used) * BusyDivisor > passed;
        if (_endedBefore is null)
        {
            Look(occasion.Now, isBusy);
        }
        else
        {
            LookAgain(isBusy);
        }

        if (_schedule.StayAwakeIf(() => HasMore))
        {
            return true;
        }

        _last = null;
        return false;
    }

    /// <inheritdoc/>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
    }

    /// <summary>Only an aggressive collection returns memory to the system, and it stops all threads.</summary>
    private static void CollectGarbage(bool mayStopThreads)
    {
        Interlocked.Increment(ref s_collections);
        GC.Collect(
            GC.MaxGeneration, mayStopThreads ? GCCollectionMode.Aggressive : GCCollectionMode.Forced,
            blocking: mayStopThreads, compacting: mayStopThreads);
    }

    private void Look(TimeSpan now, bool isBusy)
    {
        long bytes = Volatile.Read(ref _bytes);
        if (bytes != _seen)
        {
            (_seen, _seenAt) = (bytes, now);
        }

        bool isQuiet = now - _seenAt >= PeriodsToBeQuiet * _clock.LongestPeriod;
        if (isBusy || (!isQuiet && CountKept() > bytes / KeptDivisor))
        {
            return;
        }

        long heap = HeapBytes();
        if (bytes < LeastBytes || bytes < heap / LeastHeapDivisor)
        {
            // Unless more is given up.
            Volatile.Write(ref _ignored, Math.Max(LeastBytes - 1, bytes));
            return;
        }

        Forget();
        bool mayStopThreads = heap - bytes <= SmallHeapBytes;
        _endedBefore = mayStopThreads ? null : EndedCollections();
        Collect(mayStopThreads);
    }

    /// <summary>Looks at what a collection in the background left, once it has ended.</summary>
    private void LookAgain(bool isBusy)
    {
        if (isBusy || EndedCollections() == _endedBefore)
        {
            return;
        }

        _endedBefore = null;
        if (HeapBytes() <= SmallHeapBytes)
        {
            Forget();
            Collect(true);
        }
    }

    private long CountKept()
    {
        long kept = 0;
        for (int i = _clock.AwakeCount - 1; i >= 0; i--)
        {
            kept += _clock.FindAwake(i)?.KeptGarbage ?? 0;
        }

        return kept;
    }
}
