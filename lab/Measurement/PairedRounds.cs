namespace Tarn.Lab.Measurement;

/// <summary>
/// Runs contenders alternately, each once a round and in a new random order every round, so that whatever disturbs the machine
/// disturbs all of them alike and no one always runs in another's wake.
/// </summary>
internal static class PairedRounds
{
    private const int MaximumIterations = 1 << 28;

    /// <summary>Trials must be warm already (<see cref="WarmUp"/>).</summary>
    public static RoundSamples Measure(IReadOnlyList<Trial> trials, RoundSettings settings, Random random)
    {
        int[] iterations = [.. trials.Select(trial => Calibrate(trial, settings.SampleTime))];
        double[][] samples = [.. trials.Select(_ => new double[settings.Rounds])];
        int[] order = [.. Enumerable.Range(0, trials.Count)];

        for (int round = 0; round < settings.Rounds; round++)
        {
            random.Shuffle(order);
            foreach (int contender in order)
                samples[contender][round] = trials[contender].NanosecondsPerOperation(iterations[contender]);
        }

        return new RoundSamples([.. trials.Select(trial => trial.Name)], samples);
    }

    /// <summary>
    /// The number of iterations that fills the wanted time. The fastest of three runs counts at each step: one run during which the
    /// scheduler was busy elsewhere would make slow work of fast work, and the samples too short to mean anything.
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
                return (int)iterations;
        }
    }
}
