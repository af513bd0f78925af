namespace Tarn.Lab.Measurement;

/// <summary>The times of one kind of call of one contender, over all rounds.</summary>
/// <param name="contender">The contender's name.</param>
/// <param name="kind">The kind of call.</param>
internal sealed class CallRounds(string contender, string kind)
{
    /// <summary>One call in a thousand takes longer.</summary>
    public const double Late = 0.999;

    private readonly List<double> _late = [];

    public string Contender { get; } = contender;

    public string Kind { get; } = kind;

    /// <summary>The times of all rounds, in ticks of the clock.</summary>
    public CallTimes Times { get; } = new();

    /// <summary>Adds the times of a round.</summary>
    public void Add(CallTimes round)
    {
        Times.Add(round);
        _late.Add(Clock.Nanoseconds(0, 1) * round.Kept.Percentile(Late));
    }

    /// <summary>
    /// Returns the nanoseconds that one call in a thousand exceeds in each round, of ours and of a peer measured in the same rounds. Only
    /// calls during which the thread kept its processor count.
    /// </summary>
    public static RoundSamples LateOf(CallRounds ours, CallRounds peer) =>
        new([ours.Contender, peer.Contender], [[.. ours._late], [.. peer._late]]);
}
