namespace Tarn.Lab.Measurement;

/// <summary>
/// Brings trials to the code that a long-running program would run. A method is compiled anew after 30 calls, in the background and
/// only once no new code has appeared for 100 ms, and methods that came precompiled pass through an instrumented tier first: hence
/// several passes with a pause after each. All trials of an experiment are warmed together, so that the pauses are paid once.
/// </summary>
internal static class WarmUp
{
    private const int AllPasses = 6;
    private const int CallsPerPass = 60;
    private const int MostIterations = 64;
    private static readonly TimeSpan s_timePerTrial = TimeSpan.FromMilliseconds(40);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(160);

    /// <param name="trials">They end as warm as they get.</param>
    /// <param name="passes">Fewer than usual where processes are started again and again: three are enough for code of our own.</param>
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
