using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments;

/// <summary>
/// As <see cref="PairedRounds"/>, for work that needs a process of its own each time: in every round one child a contender, in random
/// order.
/// </summary>
internal sealed class ChildRounds
{
    private readonly IReadOnlyList<string> _contenders;
    private readonly IReadOnlyDictionary<string, double>[][] _found;

    private ChildRounds(IReadOnlyList<string> contenders, int rounds)
    {
        _contenders = contenders;
        _found = [.. contenders.Select(_ => new IReadOnlyDictionary<string, double>[rounds])];
    }

    /// <param name="context">Its progress is reported, and its seed used.</param>
    /// <param name="rounds">How many children each contender gets.</param>
    /// <param name="contenders">Their names.</param>
    /// <param name="start">Starts the child of one and returns what it found.</param>
    public static ChildRounds Run(
        ExperimentContext context, int rounds, IReadOnlyList<string> contenders, Func<string, IReadOnlyDictionary<string, double>> start)
    {
        var all = new ChildRounds(contenders, rounds);
        Random random = context.CreateRandom();
        int[] order = [.. Enumerable.Range(0, contenders.Count)];
        for (int round = 0; round < rounds; round++)
        {
            random.Shuffle(order);
            foreach (int contender in order)
                all._found[contender][round] = start(contenders[contender]);

            context.Report((round + 1.0) / rounds);
        }

        return all;
    }

    /// <summary>One of the values that every child found.</summary>
    public RoundSamples Samples(string value) =>
        new(_contenders, [.. _found.Select(rounds => rounds.Select(found => found[value]).ToArray())]);
}
