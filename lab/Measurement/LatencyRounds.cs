namespace Tarn.Lab.Measurement;

/// <summary>As <see cref="PairedRounds"/>, with the median and the 99th percentile of each round instead of its mean.</summary>
/// <param name="Medians">One for each round and contender.</param>
/// <param name="Late">The 99th percentiles.</param>
internal sealed record LatencyRounds(RoundSamples Medians, RoundSamples Late)
{
    private const double Half = 0.5;
    private const double NearlyAll = 0.99;

    /// <param name="trials">The trials, already warm.</param>
    /// <param name="settings">How many rounds.</param>
    /// <param name="iterations">Operations of a round, by contender.</param>
    /// <param name="random">Draws the order.</param>
    public static LatencyRounds Measure(
        IReadOnlyList<LatencyTrial> trials, RoundSettings settings, Func<LatencyTrial, int> iterations, Random random)
    {
        int[] counts = [.. trials.Select(iterations)];
        double[][] medians = Create();
        double[][] late = Create();
        foreach ((int round, int contender) in Turns.Take(trials.Count, settings.Rounds, random))
        {
            trials[contender].Run(counts[contender]);
            medians[contender][round] = trials[contender].Percentile(Half);
            late[contender][round] = trials[contender].Percentile(NearlyAll);
        }

        string[] names = [.. trials.Select(trial => trial.Name)];
        return new LatencyRounds(new RoundSamples(names, medians), new RoundSamples(names, late));

        double[][] Create() => [.. trials.Select(_ => new double[settings.Rounds])];
    }
}
