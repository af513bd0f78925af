using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// The one timer that returns idle memory. It runs only while something is kept, and holds pools and heaps weakly.
/// </summary>
/// <remarks>
/// <para>Sources register through their <see cref="TrimSchedule"/>. Each is ticked at its own pace, whatever the others' is: at the
/// multiples of its period, so that sources of one period are ticked together and the timer fires once for them. While memory is scarce,
/// each gen-2 collection ticks all of them, because it updates the known memory load.</para>
/// <para>Ticks run on a thread-pool thread, one at a time. All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class TrimClock
{
    /// <summary>The clock that all pools share, except in tests that provide their own.</summary>
    internal static readonly TrimClock Shared = new(TimeProvider.System, () => MemoryPressure.IsHigh);

    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(20);

    private readonly TimeProvider _time;
    private readonly Func<bool> _memoryIsScarce;
    private readonly Lock _lock = new();
    private readonly List<AwakeSource> _awake = [];
    private readonly ITimer _timer;
    private readonly long _start;

    /// <summary>The time at which the timer fires next; null while it does not run.</summary>
    private TimeSpan? _due;
    private int _ticking;

    /// <param name="time">The source of time.</param>
    /// <param name="memoryIsScarce">Called at each tick, and after each gen-2 collection.</param>
    /// <param name="followsCollections">Whether to tick after gen-2 collections too. Tests may need to control all ticks.</param>
    /// <param name="budget">What all sources together may keep; null for the share of this process's memory.</param>
    internal TrimClock(
        TimeProvider time, Func<bool> memoryIsScarce, bool followsCollections = true, ProcessBudget? budget = null)
    {
        Budget = budget ?? new ProcessBudget(MemoryPressure.AvailableBytes);
        Relief = new Relief(this, Budget);
        Garbage = new IdleGarbage(this);
        _time = time;
        _memoryIsScarce = memoryIsScarce;
        _start = time.GetTimestamp();
        _timer = DetachedTimer.Create(
            time, static clock => ((TrimClock)clock!).TickDue(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        if (followsCollections)
        {
            GenTwoSignal.Start(this);
        }
    }

    /// <summary>The time since the clock was created.</summary>
    internal TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>What all sources together may keep.</summary>
    internal ProcessBudget Budget { get; }

    /// <summary>What a source that is refused memory can still get.</summary>
    internal Relief Relief { get; }

    /// <summary>What all sources gave up and nobody has collected. Tests set it.</summary>
    internal IdleGarbage Garbage { get; set; }

    /// <summary>The longest time between two ticks of a source that is awake; zero if all sleep.</summary>
    internal TimeSpan LongestPeriod
    {
        get
        {
            using (_lock.Hold())
            {
                TimeSpan longest = TimeSpan.Zero;
                foreach (AwakeSource source in _awake)
                {
                    longest = source.Period > longest ? source.Period : longest;
                }

                return longest;
            }
        }
    }

    /// <summary>The number of sources that are awake, and so may keep memory.</summary>
    internal int AwakeCount
    {
        get
        {
            using (_lock.Hold())
            {
                return _awake.Count;
            }
        }
    }

    /// <summary>Whether the timer runs.</summary>
    internal bool IsRunning
    {
        get
        {
            using (_lock.Hold())
            {
                return _due is not null;
            }
        }
    }

    /// <summary>
    /// Starts to tick <paramref name="source"/>, once every <paramref name="period"/>, until it reports that it keeps nothing. Waking a
    /// source that is awake is an error.
    /// </summary>
    internal void Wake(ITrimmable source, TimeSpan period)
    {
        AwakeSource awake = new(source, period < s_shortest ? s_shortest : period);
        using (_lock.Hold())
        {
            // In this order: a tick without sources does nothing, but a source without ticks keeps its memory.
            TimeSpan now = Now;
            awake.SetDue(now);
            if (_due is null || awake.Due < _due)
            {
                SetTimer(now, awake.Due, awake.Period);
            }

            if (_awake.Count == _awake.Capacity)
            {
                // Before the list grows, collected sources are removed, so each addition pays for at most one removal.
                _awake.RemoveAll(static other => other.HasLeft);
            }

            _awake.Add(awake);
        }
    }

    /// <summary>
    /// A source that is awake, or null. Needs no memory. A caller that counts on meets each source, unless others fall asleep meanwhile.
    /// </summary>
    internal ITrimmable? FindAwake(int number)
    {
        using (_lock.Hold())
        {
            return _awake.Count == 0 ? null : _awake[(int)((uint)number % (uint)_awake.Count)].Source;
        }
    }

    /// <summary>Ticks every source that is awake now; does nothing while another thread ticks.</summary>
    internal void Tick() => Tick(all: true);

    /// <summary>Ticks the sources whose period has passed; does nothing while another thread ticks.</summary>
    internal void TickDue() => Tick(all: false);

    /// <summary>Runs <paramref name="check"/> while no source ticks. For tests.</summary>
    internal void BetweenTicks(Action check)
    {
        SpinWait wait = default;
        while (Interlocked.Exchange(ref _ticking, 1) != 0)
        {
            wait.SpinOnce();
        }

        try
        {
            check();
        }
        finally
        {
            Volatile.Write(ref _ticking, 0);
        }
    }

    private void Tick(bool all)
    {
        if (Interlocked.Exchange(ref _ticking, 1) != 0)
        {
            return;
        }

        try
        {
            TickAwake(all);
        }
        catch (OutOfMemoryException)
        {
            // An exception on a thread-pool or timer thread would end the process. The timer is periodic, so a tick follows.
        }
        finally
        {
            Volatile.Write(ref _ticking, 0);
        }
    }

    /// <summary>Ticks all sources if the collection that has just ended found memory scarce. Otherwise it told them nothing.</summary>
    private void OnCollected()
    {
        if (_memoryIsScarce())
        {
            Tick();
        }
    }

    private void TickAwake(bool all)
    {
        TrimOccasion occasion = new(Now, _memoryIsScarce());
        List<AwakeSource> due;
        using (_lock.Hold())
        {
            due = _awake.FindAll(source => all || source.Due <= occasion.Now);
        }

        foreach (AwakeSource source in due)
        {
            source.Tick(occasion);
        }

        using (_lock.Hold())
        {
            _awake.RemoveAll(static source => source.HasLeft);
            SetTimer();
        }
    }

    /// <summary>Sets the timer for the source whose tick is due first.</summary>
    private void SetTimer()
    {
        if (_awake.Count == 0)
        {
            _due = null;
            Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return;
        }

        TimeSpan due = TimeSpan.MaxValue;
        TimeSpan period = TimeSpan.MaxValue;
        foreach (AwakeSource source in _awake)
        {
            due = source.Due < due ? source.Due : due;
            period = source.Period < period ? source.Period : period;
        }

        SetTimer(Now, due, period);
    }

    /// <summary>Sets the timer. It is periodic, so that it goes on if a tick has no memory to set it again.</summary>
    private void SetTimer(TimeSpan now, TimeSpan due, TimeSpan period)
    {
        TimeSpan left = due - now;
        Change(left < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : left, period);
        _due = due;
    }

    /// <summary>Changes the timer, whose own lock may make the caller wait.</summary>
    private void Change(TimeSpan due, TimeSpan period) =>
        Uninterrupted.Call(static to => to.Timer.Change(to.Due, to.Period), (Timer: _timer, Due: due, Period: period));

    /// <summary>A source that is ticked. It is held weakly. Guarded by the clock's lock, except that only a tick ticks it.</summary>
    private sealed class AwakeSource(ITrimmable source, TimeSpan period)
    {
        private readonly WeakReference<ITrimmable> _source = new(source);
        private bool _sleeps;

        internal ITrimmable? Source => _source.TryGetTarget(out ITrimmable? source) ? source : null;

        internal TimeSpan Period { get; } = period;

        /// <summary>The time of the next tick.</summary>
        internal TimeSpan Due { get; private set; }

        /// <summary>Whether the source was collected, or wants no more ticks.</summary>
        internal bool HasLeft => _sleeps || Source is null;

        /// <summary>Sets the next tick to the next multiple of the period.</summary>
        internal void SetDue(TimeSpan now) => Due = Period * ((now.Ticks / Period.Ticks) + 1);

        /// <summary>Ticks the source. A source that runs out of memory stays awake and does not prevent the other ticks.</summary>
        internal void Tick(TrimOccasion occasion)
        {
            SetDue(occasion.Now);
            try
            {
                _sleeps = Source?.OnTick(occasion) != true;
            }
            catch (OutOfMemoryException)
            {
                // The next tick goes on.
            }
        }
    }

    /// <summary>
    /// An object that is garbage from the start. Each gen-2 collection finalizes it; the finalizer queues a tick and creates the next one.
    /// </summary>
    private sealed class GenTwoSignal
    {
        /// <summary>Created before the first finalizer runs, because there may be no memory for it then.</summary>
        private static readonly Action<TrimClock> s_tick = static clock => clock.OnCollected();

        /// <summary>
        /// A bare handle. A WeakReference would become garbage together with this object and might be finalized, and cleared, before it.
        /// </summary>
        private GCHandle _clock;

        private GenTwoSignal(TrimClock clock) => _clock = GCHandle.Alloc(clock, GCHandleType.Weak);

        ~GenTwoSignal()
        {
            if (_clock.Target is not TrimClock clock)
            {
                _clock.Free();
                return;
            }

            if (Environment.HasShutdownStarted)
            {
                return;
            }

            GC.ReRegisterForFinalize(this);
            try
            {
                if (GC.GetGeneration(this) == GC.MaxGeneration && clock.IsRunning)
                {
                    ThreadPool.UnsafeQueueUserWorkItem(s_tick, clock, preferLocal: false);
                }
            }
            catch (OutOfMemoryException)
            {
                // An exception here would end the process. The timer still ticks.
            }
        }

        internal static void Start(TrimClock clock) => _ = new GenTwoSignal(clock);
    }
}
