using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>Reads the process's memory every 100 ms. It causes no collection itself.</summary>
internal sealed class MemorySampler(Func<long> readInUse, Func<long> readRetained)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly Process _process = Process.GetCurrentProcess();
    private readonly Stopwatch _clock = Stopwatch.StartNew();

    public List<MemorySample> Samples { get; } = [];

    public double Seconds => _clock.Elapsed.TotalSeconds;

    /// <summary>Samples until the duration has passed.</summary>
    public void SampleFor(TimeSpan duration, Action onSample)
    {
        TimeSpan end = _clock.Elapsed + duration;
        while (_clock.Elapsed < end)
        {
            Sample();
            onSample();
            Thread.Sleep(s_interval);
        }
    }

    public void Sample()
    {
        _process.Refresh();
        Samples.Add(new MemorySample(
            Seconds,
            readInUse(),
            readRetained(),
            GC.GetTotalMemory(forceFullCollection: false),
            _process.WorkingSet64,
            GC.CollectionCount(0)));
    }
}
