using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Calls;

namespace Tarn.Lab.Experiments.Tails;

/// <summary>Runs the contenders by turns, a slice of time each, on more threads than processors.</summary>
internal static class TailRun
{
    private const int WarmUps = 5;
    private static readonly TimeSpan s_warmUpSlice = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(160);

    /// <summary>The time between two disturbances.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(25);

    /// <summary>Returns the times of every kind of call, in the order of the contenders.</summary>
    /// <param name="contenders">The contenders, with as many threads as the crew has.</param>
    /// <param name="crew">The threads.</param>
    /// <param name="settings">How many slices, and how long.</param>
    /// <param name="random">Draws the order.</param>
    /// <param name="report">Receives the fraction done.</param>
    public static IReadOnlyList<CallRounds> Measure(
        IReadOnlyList<CallsTrial> contenders, Crew crew, RoundSettings settings, Random random, Action<double> report)
    {
        CallRounds[][] rounds = [.. contenders.Select(one => one.Kinds.Select(kind => new CallRounds(one.Name, kind)).ToArray())];
        CallsTrial? running = null;
        using var disturber = new Timer(_ => Volatile.Read(ref running)?.Disturb(), null, Period, Period);
        for (int pass = 0; pass < WarmUps; pass++)
        {
            foreach (CallsTrial contender in contenders)
            {
                Volatile.Write(ref running, contender);
                _ = contender.Run(crew, s_warmUpSlice);
            }

            Thread.Sleep(s_pause);
        }

        foreach ((int round, int contender) in Turns.Take(contenders.Count, settings.Rounds, random))
        {
            Volatile.Write(ref running, contenders[contender]);
            IReadOnlyList<CallTimes> times = contenders[contender].Run(crew, settings.SampleTime);
            for (int kind = 0; kind < times.Count; kind++)
            {
                rounds[contender][kind].Add(times[kind]);
            }

            report((round + 1.0) / settings.Rounds);
        }

        using (var stopped = new ManualResetEvent(false))
        {
            // A disturbance that runs must not meet a heap that is disposed of.
            disturber.Dispose(stopped);
            stopped.WaitOne();
        }

        return [.. rounds.SelectMany(some => some)];
    }
}
