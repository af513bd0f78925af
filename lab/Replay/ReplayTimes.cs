using Tarn.Lab.Measurement;

namespace Tarn.Lab.Replay;

/// <summary>The times of pools on one program, measured by turns, minus the time of the replay itself.</summary>
internal static class ReplayTimes
{
    private const int WarmUpRuns = 4;
    private const double RentsToWarm = 200_000;
    private const int MostPasses = 1_000;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(120);

    // A smaller share of the measured time cannot be distinguished from nothing.
    private const double SmallestShare = 0.02;

    /// <summary>Nanoseconds for a rent and its return.</summary>
    /// <param name="pools">The pools, not warm yet.</param>
    /// <param name="floor">The same program without a pool; the median of its rounds is subtracted from every pool's time.</param>
    /// <param name="settings">How many rounds, and how long.</param>
    /// <param name="random">Gives the order.</param>
    /// <returns>The pools' times without the floor, and the floor.</returns>
    public static (RoundSamples Pools, double Floor) Measure(IReadOnlyList<Trial> pools, Trial floor, RoundSettings settings, Random random)
    {
        Trial[] all = [.. pools, floor];
        int[] iterations = [.. WarmUp(all).Select(pass => (int)Math.Clamp(settings.SampleTime.TotalNanoseconds / pass, 1, MostPasses))];
        double[][] samples = [.. all.Select(_ => new double[settings.Rounds])];
        foreach ((int round, int contender) in Turns.Take(all.Length, settings.Rounds, random))
        {
            samples[contender][round] = all[contender].NanosecondsPerOperation(iterations[contender]);
        }

        double least = MedianInterval.Of(samples[^1]).Median;
        return (new RoundSamples([.. pools.Select(pool => pool.Name)], [.. samples[..^1].Select(some => TakeOff(some, least))]), least);
    }

    internal static double[] TakeOff(double[] samples, double floor) =>
        [.. samples.Select(sample => Math.Max(sample - floor, sample * SmallestShare))];

    /// <summary>Warms up the trials. Recompilation needs a pause without new code, so there is one after each run of all trials.</summary>
    /// <returns>Nanoseconds of a pass of each, once warm.</returns>
    private static double[] WarmUp(Trial[] trials)
    {
        var passes = new double[trials.Length];
        for (int run = 0; run < WarmUpRuns; run++)
        {
            for (int trial = 0; trial < passes.Length; trial++)
            {
                int count = (int)Math.Ceiling(RentsToWarm / trials[trial].OperationsPerIteration);
                passes[trial] = trials[trial].Run(count) / count;
            }

            Thread.Sleep(s_pause);
        }

        return passes;
    }
}
