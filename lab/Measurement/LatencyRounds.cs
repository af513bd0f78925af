namespace Tarn.Lab.Measurement;

/// <summary>As <see cref="PairedRounds"/>, with percentiles of each round instead of its mean.</summary>
/// <param name="Medians">One for each round and contender.</param>
/// <param name="Late">The 99th percentiles.</param>
/// <param name="Latest">The 99.9th percentiles; not a number in rounds too short to have one.</param>
internal sealed record LatencyRounds(RoundSamples Medians, RoundSamples Late, RoundSamples Latest)
{
    private const int FewestForLatest = 1000;

    private const double Half = 0.5;
    private const double NearlyAll = 0.99;
    private const double AlmostAll = 0.999;

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
        double[][] latest = Create();
        foreach ((int round, int contender) in Turns.Take(trials.Count, settings.Rounds, random))
        {
            trials[contender].Run(counts[contender]);
            medians[contender][round] = trials[contender].Percentile(Half);
            late[contender][round] = trials[contender].Percentile(NearlyAll);
            latest[contender][round] = counts[contender] < FewestForLatest ? double.NaN : trials[contender].Percentile(AlmostAll);
        }

        string[] names = [.. trials.Select(trial => trial.Name)];
        return new LatencyRounds(new RoundSamples(names, medians), new RoundSamples(names, late), new RoundSamples(names, latest));

        double[][] Create() => [.. trials.Select(_ => new double[settings.Rounds])];
    }
}
