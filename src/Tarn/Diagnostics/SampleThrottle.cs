namespace Tarn.Diagnostics;

/// <summary>
/// The mean number of bytes between samples: the interval asked for, or more while samples at that interval would take more than about a
/// hundredth of a processor's time.
/// </summary>
/// <remarks>
/// A pool hands out a buffer in nanoseconds and a stack takes microseconds, so a program that rents gigabytes a second would mostly walk
/// stacks. Each sample is weighted by the mean its gap was drawn from, so a change of the mean does not bias the estimate. All members are
/// safe to call from any thread.
/// </remarks>
internal sealed class SampleThrottle : IDisposable
{
    /// <summary>The processor time that samples may use before the mean is judged.</summary>
    private static readonly TimeSpan s_budget = TimeSpan.FromMilliseconds(1);

    /// <summary>The mean doubles when the budget lasts for less than this.</summary>
    private static readonly TimeSpan s_period = s_budget * 100;

    /// <summary>The mean is halved when the budget lasts for more than this.</summary>
    private static readonly TimeSpan s_longPeriod = s_period * 4;

    private const double LargestMean = 1L << 50;

    private readonly Lock _lock = new();
    private readonly long _interval;
    private readonly bool _isLimited;
    private readonly TimeProvider _time;
    private double _mean;
    private TimeSpan _spent;
    private long _since;
    private ITimer? _timer;

    /// <param name="interval">The mean to begin with, in bytes; it is never less.</param>
    /// <param name="isLimited">Whether the mean may rise.</param>
    /// <param name="time">The clock; null for the system's.</param>
    internal SampleThrottle(long interval, bool isLimited, TimeProvider? time = null)
    {
        _time = time ?? TimeProvider.System;
        _since = _time.GetTimestamp();
        _interval = interval;
        _isLimited = isLimited;
        _mean = Largest = interval;
    }

    internal double Mean => Volatile.Read(ref _mean);

    /// <summary>The largest mean so far.</summary>
    internal double Largest { get; private set; }

    /// <summary>Counts the time that a sample took.</summary>
    internal void Spend(TimeSpan time)
    {
        if (!_isLimited)
        {
            return;
        }

        using (_lock.Hold())
        {
            _spent += time;
            if (_spent < s_budget)
            {
                return;
            }

            if (_time.GetElapsedTime(_since) < s_period)
            {
                Raise();
                _timer ??= TryCreateTimer();
            }

            Restart();
        }
    }

    /// <summary>Doubles the mean.</summary>
    internal void Raise()
    {
        Volatile.Write(ref _mean, Math.Min(_mean * 2, LargestMean));
        Largest = Math.Max(Largest, _mean);
    }

    /// <summary>Ends the throttle's timer.</summary>
    public void Dispose()
    {
        using (_lock.Hold())
        {
            _timer?.Dispose();
            _timer = null;
        }
    }

    /// <summary>
    /// Halves the mean after a long time with few samples. Threads then draw new gaps, as the old ones may last for hours.
    /// </summary>
    private void Relax()
    {
        try
        {
            RelaxNow();
        }
        catch (OutOfMemoryException)
        {
            // Even waiting for a lock may allocate. An exception in a timer's callback ends the process; the next tick tries again.
        }
    }

    private void RelaxNow()
    {
        using (_lock.Hold())
        {
            if (_timer is null || _time.GetElapsedTime(_since) < s_longPeriod)
            {
                return;
            }

            Volatile.Write(ref _mean, Math.Max(_interval, _mean / 2));
            Restart();
            if (_mean <= _interval)
            {
                _timer.Dispose();
                _timer = null;
            }
        }

        SampleCountdown.Redraw();
    }

    /// <summary>Creates the timer, or null if there is no memory: the mean then stays until a sample takes too much time again.</summary>
    private ITimer? TryCreateTimer()
    {
        try
        {
            // The runtime's timer thread ends the process if it has to create the thread pool and there is no memory left.
            _ = ThreadPool.ThreadCount;
            return DetachedTimer.Create(
                _time, static state => ((SampleThrottle)state!).Relax(), this, s_longPeriod, s_longPeriod);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    private void Restart()
    {
        _spent = TimeSpan.Zero;
        _since = _time.GetTimestamp();
    }
}
