using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Watched;

/// <summary>Another trial's work while something watches the process.</summary>
/// <param name="name">The name in reports.</param>
/// <param name="work">The work; its trial is warm.</param>
/// <param name="watch">Begins to watch; disposing the result ends it.</param>
internal sealed class WatchedTrial(string name, Trial work, Func<IDisposable> watch) : Trial(name, work.OperationsPerIteration)
{
    /// <summary>Part of the iterations that run first: the first calls after a switch leave the fast path or return to it.</summary>
    private const int WarmShare = 8;

    /// <inheritdoc/>
    public override double Run(int iterations)
    {
        using IDisposable watching = watch();
        _ = work.Run(Math.Max(1, iterations / WarmShare));
        return work.Run(iterations);
    }

    /// <summary>The number of iterations that fills a time while watched.</summary>
    public int Calibrate(TimeSpan time)
    {
        using IDisposable watching = watch();
        return PairedRounds.Calibrate(work, time);
    }
}
