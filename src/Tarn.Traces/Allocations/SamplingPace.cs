using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>
/// Paces the windows of a recording, so that sampling takes at most a fiftieth of a process's time: of a processor's time, or of the
/// process's own, if that is more.
/// </summary>
/// <remarks>
/// A window ends after so many bytes of events. What it cost at most is known from these, and from how long its end took, when the process
/// lists its methods. The next one begins when the process has had fifty times as much time.
/// </remarks>
internal sealed class SamplingPace : IDisposable
{
    /// <summary>The bytes of the first window: those of 7,000 to 20,000 samples, so that a short recording has no gap.</summary>
    private const long FirstBytes = 2 << 20;
    private const long LaterBytes = 512 << 10;

    private const double MostShare = 0.02;

    /// <summary>The bytes of a sample with a short stack.</summary>
    private const int LeastBytes = 100;

    /// <summary>What a sample costs the process; the lab's experiment <c>allocations</c> measures it.</summary>
    private static readonly TimeSpan s_sample = TimeSpan.FromMicroseconds(8);

    /// <summary>The most windows of a recording: each lists all methods, and is read at the end.</summary>
    private const int MostWindows = 30;

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    private readonly TimeSpan _least;
    private readonly Process? _process;
    private readonly Stopwatch _watch = new();
    private TimeSpan _usedBefore;
    private TimeSpan _usedInWindow;

    /// <param name="process">The process.</param>
    /// <param name="time">The time of the whole recording.</param>
    internal SamplingPace(int process, TimeSpan time)
    {
        _least = time / MostWindows;
        try
        {
            _process = Process.GetProcessById(process);
        }
        catch (ArgumentException)
        {
            // It has ended, or has another number here. Then a processor's time is the measure.
        }
    }

    /// <summary>Whether the process is known to have ended.</summary>
    internal bool HasEnded
    {
        get
        {
            try
            {
                return _process is { HasExited: true };
            }
            catch (Exception exception) when (exception is InvalidOperationException or System.ComponentModel.Win32Exception)
            {
                return false;
            }
        }
    }

    /// <summary>The process's time since <see cref="Begin"/>.</summary>
    private TimeSpan Spent => _watch.Elapsed > Used - _usedBefore ? _watch.Elapsed : Used - _usedBefore;

    private TimeSpan Used
    {
        get
        {
            try
            {
                _process?.Refresh();
                return _process?.TotalProcessorTime ?? default;
            }
            catch (Exception exception)
                when (exception is InvalidOperationException or System.ComponentModel.Win32Exception or NotSupportedException)
            {
                return default;
            }
        }
    }

    /// <summary>The most bytes of a window, after so many others.</summary>
    internal static long MostBytes(int windows) => windows == 0 ? FirstBytes : LaterBytes;

    /// <summary>Begins a window.</summary>
    internal void Begin()
    {
        _usedBefore = Used;
        _watch.Restart();
    }

    /// <summary>Ends a window, as soon as nothing is sampled any more.</summary>
    internal void End() => _usedInWindow = Used - _usedBefore;

    /// <summary>How often the work of some time has that of the window at its beginning in it.</summary>
    /// <param name="samples">The samples of the window.</param>
    /// <param name="window">The process's own time in the window.</param>
    /// <param name="period">That of the whole time.</param>
    /// <param name="time">How often the time has the window in it; the measure where the process's own is not known.</param>
    /// <remarks>The program works less while it is sampled, so what that cost is not counted.</remarks>
    internal static double Weigh(int samples, TimeSpan window, TimeSpan period, double time)
    {
        TimeSpan cost = samples * s_sample;
        return Math.Max(1, window > 2 * cost && window > s_look ? (period - cost) / (window - cost) : time);
    }

    /// <summary>Waits until another window may begin, and tells the one that ended what it stands for.</summary>
    /// <param name="window">The window that ended.</param>
    /// <param name="left">The time that is left to the recording; null if it has no end.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if the recording or the process ended before.</returns>
    internal bool Wait(SampledWindow window, TimeSpan? left, CancellationToken cancellationToken)
    {
        TimeSpan needed = Needed(window.Bytes, window.Ending) is var cost && cost > _least ? cost : _least;
        var waited = Stopwatch.StartNew();
        bool isOver = false;
        TimeSpan used = Used;
        while (!isOver && Spent < needed)
        {
            isOver = left <= waited.Elapsed || HasEnded || cancellationToken.WaitHandle.WaitOne(s_look);

            // A process that has ended does not tell it any more.
            used = Used > used ? Used : used;
        }

        window.Period = _watch.Elapsed;
        window.Work = (_usedInWindow, used - _usedBefore);
        return !isOver && (left is null || left > waited.Elapsed);
    }

    /// <summary>The time that a process must have had for what a window cost it, if all its events were as short as they can be.</summary>
    internal static TimeSpan Needed(long bytes, TimeSpan ending) => ((bytes / LeastBytes * s_sample) + ending) / MostShare;

    public void Dispose() => _process?.Dispose();
}
