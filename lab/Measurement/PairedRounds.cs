namespace Tarn.Lab.Measurement;

/// <summary>Runs contenders by <see cref="Turns"/>, each for about the same time.</summary>
internal static class PairedRounds
{
    private const int MaximumIterations = 1 << 28;

    /// <summary>Trials must be warm already (<see cref="WarmUp"/>).</summary>
    public static RoundSamples Measure(IReadOnlyList<Trial> trials, RoundSettings settings, Random random)
    {
        int[] iterations = [.. trials.Select(trial => Calibrate(trial, settings.SampleTime))];
        return Measure(trials, iterations, settings.Rounds, random);
    }

    /// <summary>As above, if the numbers of iterations that fill the wanted time are known.</summary>
    public static RoundSamples Measure(IReadOnlyList<Trial> trials, IReadOnlyList<int> iterations, int rounds, Random random)
    {
        double[][] samples = [.. trials.Select(_ => new double[rounds])];
        foreach ((int round, int contender) in Turns.Take(trials.Count, rounds, random))
        {
            samples[contender][round] = trials[contender].NanosecondsPerOperation(iterations[contender]);
        }

        return new RoundSamples([.. trials.Select(trial => trial.Name)], samples);
    }

    /// <summary>
    /// The number of iterations that fills the wanted time. The fastest of three runs counts at each step: a single run that the scheduler
    /// interrupted would make fast work look slow, and the samples too short to be meaningful.
    /// </summary>
    public static int Calibrate(Trial trial, TimeSpan sampleTime)
    {
        double wanted = sampleTime.TotalNanoseconds;
        double iterations = 1;
        while (true)
        {
            double elapsed = Math.Min(Math.Min(trial.Run((int)iterations), trial.Run((int)iterations)), trial.Run((int)iterations));
            double missing = wanted / Math.Max(elapsed, 1);
            iterations = Math.Clamp(iterations * Math.Clamp(missing, 0.1, 8), 1, MaximumIterations);
            if (missing <= 2 || iterations == MaximumIterations)
            {
                return (int)iterations;
            }
        }
    }
}
