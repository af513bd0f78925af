using System.Diagnostics;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>Samples of the growth of this process's resident memory since the object was created.</summary>
internal sealed class MemorySamples
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly List<Point> _points = [];
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly long _before;

    public MemorySamples()
    {
        // Memory before the load does not count. The first reading loads what reading itself needs.
        ResidentMemory.Read();
        _before = ResidentMemory.Read();
    }

    /// <summary>Seconds and bytes, in order.</summary>
    public IReadOnlyList<Point> Points => _points;

    /// <summary>The second at which <see cref="EndLoad"/> was called.</summary>
    public double LoadEnd { get; private set; } = double.NaN;

    /// <summary>Notes the end of the load; only the first call counts.</summary>
    public void EndLoad()
    {
        if (double.IsNaN(LoadEnd))
        {
            LoadEnd = _clock.Elapsed.TotalSeconds;
        }
    }

    /// <summary>Takes a sample, then waits until it is time for the next one.</summary>
    public void Take()
    {
        _points.Add(new Point(_clock.Elapsed.TotalSeconds, Math.Max(0, ResidentMemory.Read() - _before)));
        Thread.Sleep(s_interval);
    }

    /// <summary>Samples until the duration has passed, and once at its end.</summary>
    public void TakeFor(TimeSpan duration)
    {
        TimeSpan end = _clock.Elapsed + duration;
        while (_clock.Elapsed < end)
        {
            Thread.Sleep(s_interval);
            _points.Add(new Point(_clock.Elapsed.TotalSeconds, Math.Max(0, ResidentMemory.Read() - _before)));
        }
    }
}
