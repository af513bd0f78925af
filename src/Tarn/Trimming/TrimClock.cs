using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// The one timer that makes idle memory go back. It runs only while something is kept, holds pools and heaps weakly, and looks in as
/// well after each gen-2 collection, when the memory load is known anew.
/// </summary>
/// <remarks>
/// Sources come here through their <see cref="TrimSchedule"/>. Ticks run on a thread-pool thread, one at a time. All
/// members are safe to call from any thread.
/// </remarks>
internal sealed class TrimClock
{
    /// <summary>The clock every pool shares unless a test brings its own.</summary>
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

    /// <param name="time">What moves it.</param>
    /// <param name="memoryIsScarce">Asked at each tick.</param>
    /// <param name="followsCollections">Tick after gen-2 collections as well; tests may want no tick but their own.</param>
    internal TrimClock(TimeProvider time, Func<bool> memoryIsScarce, bool followsCollections = true)
    {
        _time = time;
        _memoryIsScarce = memoryIsScarce;
        _start = time.GetTimestamp();
        _timer = CreateTimer();
        if (followsCollections)
        {
            GenTwoSignal.Start(this);
        }
    }

    /// <summary>Time since the clock was made.</summary>
    internal TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Ticks are coming.</summary>
    internal bool IsRunning
    {
        get
        {
            lock (_lock)
            {
                return _period != Timeout.InfiniteTimeSpan;
            }
        }
    }

    /// <summary>
    /// From now on <paramref name="source"/> is ticked, at least once every <paramref name="period"/>, until it says it keeps nothing.
    /// Waking one that is awake is an error.
    /// </summary>
    internal void Wake(ITrimmable source, TimeSpan period)
    {
        lock (_lock)
        {
            // In this order: a tick without sources does nothing, but a source without ticks keeps its memory.
            SetPeriod(period);
            _awake.Add(source);
        }
    }

    /// <summary>Looks at everything that is awake; does nothing while another thread is doing so.</summary>
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
            // On a thread-pool thread or a timer's, it would end the process. The next tick goes on.
        }
        finally
        {
            Volatile.Write(ref _ticking, 0);
        }
    }

    private void TickAll()
    {
        List<ITrimmable> sources;
        lock (_lock)
        {
            sources = _awake.GetAlive();
        }

        TrimOccasion occasion = new(Now, _memoryIsScarce());
        List<ITrimmable> asleep = sources.FindAll(source => !TickOne(source, occasion));
        lock (_lock)
        {
            _awake.RemoveWhere(asleep.Remove);
            if (_awake.Count == 0)
            {
                _period = Timeout.InfiniteTimeSpan;
                _timer.Change(_period, _period);
            }
        }
    }

    /// <summary>Ticks a source; one that has no memory to do its work stays awake, and does not keep the others from theirs.</summary>
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

    /// <summary>The timer must not keep the execution context of the code that happened to rent first.</summary>
    private ITimer CreateTimer()
    {
        bool suppress = !ExecutionContext.IsFlowSuppressed();
        if (suppress)
        {
            ExecutionContext.SuppressFlow();
        }

        try
        {
            return _time.CreateTimer(static clock => ((TrimClock)clock!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
        finally
        {
            if (suppress)
            {
                ExecutionContext.RestoreFlow();
            }
        }
    }

    private void SetPeriod(TimeSpan period)
    {
        period = period < s_shortest ? s_shortest : period;
        if (_period == Timeout.InfiniteTimeSpan || period < _period)
        {
            _timer.Change(period, period);
            _period = period;
        }
    }

    /// <summary>
    /// An object that is garbage from the start: each gen-2 collection finalizes it, which queues a tick and makes it anew.
    /// </summary>
    private sealed class GenTwoSignal
    {
        /// <summary>Made before the first finalizer runs: there may be no memory for it then.</summary>
        private static readonly Action<TrimClock> s_tick = static clock => clock.Tick();

        /// <summary>A bare handle: a WeakReference becomes garbage with this object and may be finalized, and emptied, before it.</summary>
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
                // An exception here ends the process. The timer ticks as well.
            }
        }

        internal static void Start(TrimClock clock) => _ = new GenTwoSignal(clock);
    }
}
