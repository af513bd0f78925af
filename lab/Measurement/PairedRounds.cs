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

    /// <summary>The number of iterations that fills the wanted time: doubled until it is no longer dominated by overhead, then scaled.</summary>
    public static int Calibrate(Trial trial, TimeSpan sampleTime)
    {
        double wanted = sampleTime.TotalNanoseconds;
        int iterations = 1;
        double elapsed = trial.Run(iterations);
        while (elapsed < wanted / 4 && iterations < MaximumIterations)
        {
            iterations *= 2;
            elapsed = trial.Run(iterations);
        }

        double scaled = iterations * (wanted / Math.Max(elapsed, 1));
        return (int)Math.Clamp(scaled, 1, MaximumIterations);
    }
}
