using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments;

/// <summary>
/// As <see cref="PairedRounds"/>, for work that needs a process of its own each time: in every round one child a contender, by
/// <see cref="Turns"/>.
/// </summary>
/// <typeparam name="TFound">The type of a child's results.</typeparam>
/// <param name="contenders">Their names.</param>
/// <param name="rounds">How many children each contender gets.</param>
internal sealed class ChildRounds<TFound>(IReadOnlyList<string> contenders, int rounds)
{
    private readonly string[] _contenders = [.. contenders];
    private readonly TFound[][] _found = [.. contenders.Select(_ => new TFound[rounds])];

    /// <param name="random">Draws the order.</param>
    /// <param name="start">Starts the child of one contender and returns its results.</param>
    /// <param name="report">Receives the fraction done after each child, from 0 to 1.</param>
    public void Run(Random random, Func<string, TFound> start, Action<double> report)
    {
        int done = 0;
        foreach ((int round, int contender) in Turns.Take(_contenders.Length, rounds, random))
        {
            _found[contender][round] = start(_contenders[contender]);
            report((double)++done / (_contenders.Length * rounds));
        }
    }

    /// <summary>Returns the samples of one value of every child's results.</summary>
    public RoundSamples Samples(Func<TFound, double> value) => Samples(_contenders, value);

    /// <summary>Returns the same for some contenders, in the given order.</summary>
    public RoundSamples Samples(IReadOnlyList<string> some, Func<TFound, double> value) =>
        new(some, [.. some.Select(name => _found[Array.IndexOf(_contenders, name)].Select(value).ToArray())]);
}
