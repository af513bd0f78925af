namespace Tarn.Lab.Measurement;

/// <summary>
/// Brings trials to the code that a long-running program would run. A method is recompiled after 30 calls, in the background and only after
/// no new code has appeared for 100 ms, and precompiled methods first pass through an instrumented tier. So there are several passes with a
/// pause after each. All trials of an experiment are warmed together, so that the pauses occur once.
/// </summary>
internal static class WarmUp
{
    private const int AllPasses = 6;
    private const int CallsPerPass = 60;
    private const int MostIterations = 64;
    private static readonly TimeSpan s_timePerTrial = TimeSpan.FromMilliseconds(40);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(160);

    /// <param name="trials">The trials to warm up.</param>
    /// <param name="passes">The number of passes. Where many processes are started, three are enough for our own code.</param>
    public static void Run(IReadOnlyCollection<Trial> trials, int passes = AllPasses)
    {
        for (int pass = 0; pass < passes; pass++)
        {
            foreach (Trial trial in trials)
            {
                RunOnce(trial);
            }

            Thread.Sleep(s_pause);
        }
    }

    private static void RunOnce(Trial trial)
    {
        // Few iterations a call, many calls: tiers count calls. Slow work gets fewer of either.
        double spent = 0;
        int iterations = 1;
        for (int call = 0; call < CallsPerPass && spent < s_timePerTrial.TotalNanoseconds; call++)
        {
            double took = trial.Run(iterations);
            spent += took;
            if (took < s_timePerTrial.TotalNanoseconds / CallsPerPass && iterations < MostIterations)
            {
                iterations *= 2;
            }
        }
    }
}
