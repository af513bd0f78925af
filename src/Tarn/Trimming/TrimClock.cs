using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// The one timer that returns idle memory. It runs only while something is kept, and holds pools and heaps weakly. It also ticks after each
/// gen-2 collection, which updates the known memory load.
/// </summary>
/// <remarks>
/// Sources register through their <see cref="TrimSchedule"/>. Ticks run on a thread-pool thread, one at a time. All members are safe to
/// call from any thread.
/// </remarks>
internal sealed class TrimClock
{
    /// <summary>The clock that all pools share, except in tests that provide their own.</summary>
    internal static readonly TrimClock Shared = new(TimeProvider.System, () => MemoryPressure.IsHigh);

    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(20);

    private readonly TimeProvider _time;
    private readonly Func<bool> _memoryIsScarce;
    private readonly Lock _lock = new();
    private readonly WeakList<ITrimmable> _awake = new();
    private readonly ITimer _timer;
    private readonly long _start;
    private TimeSpan _period = Timeout.InfiniteTimeSpan;
    private int _ticking;

    /// <param name="time">The source of time.</param>
    /// <param name="memoryIsScarce">Called at each tick.</param>
    /// <param name="followsCollections">Whether to tick after gen-2 collections too. Tests may need to control all ticks.</param>
    internal TrimClock(TimeProvider time, Func<bool> memoryIsScarce, bool followsCollections = true)
    {
        _time = time;
        _memoryIsScarce = memoryIsScarce;
        _start = time.GetTimestamp();
        _timer = DetachedTimer.Create(
            time, static clock => ((TrimClock)clock!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        if (followsCollections)
        {
            GenTwoSignal.Start(this);
        }
    }

    /// <summary>The time since the clock was created.</summary>
    internal TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Whether the timer runs.</summary>
    internal bool IsRunning
    {
        get
        {
            using (_lock.Hold())
            {
                return _period != Timeout.InfiniteTimeSpan;
            }
        }
    }

    /// <summary>
    /// Starts to tick <paramref name="source"/>, at least once every <paramref name="period"/>, until it reports that it keeps nothing.
    /// Waking a source that is awake is an error.
    /// </summary>
    internal void Wake(ITrimmable source, TimeSpan period)
    {
        using (_lock.Hold())
        {
            // In this order: a tick without sources does nothing, but a source without ticks keeps its memory.
            SetPeriod(period);
            _awake.Add(source);
        }
    }

    /// <summary>Ticks every source that is awake; does nothing while another thread is doing so.</summary>
    internal void Tick()
    {
        if (Interlocked.Exchange(ref _ticking, 1) != 0)
        {
            return;
        }

        try
        {
            TickAll();
        }
        catch (OutOfMemoryException)
        {
            // An exception on a thread-pool or timer thread would end the process. The next tick continues.
        }
        finally
        {
            Volatile.Write(ref _ticking, 0);
        }
    }

    private void TickAll()
    {
        List<ITrimmable> sources;
        using (_lock.Hold())
        {
            sources = _awake.GetAlive();
        }

        TrimOccasion occasion = new(Now, _memoryIsScarce());
        List<ITrimmable> asleep = sources.FindAll(source => !TickOne(source, occasion));
        using (_lock.Hold())
        {
            _awake.RemoveWhere(asleep.Remove);
            if (_awake.Count == 0)
            {
                _period = Timeout.InfiniteTimeSpan;
                Change(_period);
            }
        }
    }

    /// <summary>Ticks a source. A source that runs out of memory stays awake and does not prevent the other ticks.</summary>
    private static bool TickOne(ITrimmable source, TrimOccasion occasion)
    {
        try
        {
            return source.OnTick(occasion);
        }
        catch (OutOfMemoryException)
        {
            return true;
        }
    }

    private void SetPeriod(TimeSpan period)
    {
        period = period < s_shortest ? s_shortest : period;
        if (_period == Timeout.InfiniteTimeSpan || period < _period)
        {
            Change(period);
            _period = period;
        }
    }

    /// <summary>Changes the timer, whose own lock may make the caller wait.</summary>
    private void Change(TimeSpan period) =>
        Uninterrupted.Call(static to => to.Timer.Change(to.Period, to.Period), (Timer: _timer, Period: period));

    /// <summary>
    /// An object that is garbage from the start. Each gen-2 collection finalizes it; the finalizer queues a tick and creates the next one.
    /// </summary>
    private sealed class GenTwoSignal
    {
        /// <summary>Created before the first finalizer runs, because there may be no memory for it then.</summary>
        private static readonly Action<TrimClock> s_tick = static clock => clock.Tick();

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
