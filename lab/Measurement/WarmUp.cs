namespace Tarn.Lab.Measurement;

/// <summary>
/// Brings trials to the code that a long-running program would run. A method is compiled anew after 30 calls, in the background and
/// only once no new code has appeared for 100 ms, and methods that came precompiled pass through an instrumented tier first: hence
/// several passes with a pause after each. All trials of an experiment are warmed together, so that the pauses are paid once.
/// </summary>
internal static class WarmUp
{
    private const int Passes = 6;
    private const int CallsPerPass = 60;
    private static readonly TimeSpan s_timePerTrial = TimeSpan.FromMilliseconds(40);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(160);

    public static void Run(IReadOnlyCollection<Trial> trials)
    {
        for (int pass = 0; pass < Passes; pass++)
        {
            foreach (Trial trial in trials)
                RunOnce(trial);

            Thread.Sleep(s_pause);
        }
    }

    private static void RunOnce(Trial trial)
    {
        // Few iterations a call, many calls: tiers count calls. Slow work gets fewer of them.
        double spent = 0;
        for (int call = 0; call < CallsPerPass && spent < s_timePerTrial.TotalNanoseconds; call++)
            spent += trial.Run(64);
    }
}
