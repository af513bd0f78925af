using System.Text.Json.Serialization;

namespace Tarn.Lab.Model;

/// <summary>
/// Ours against a peer, measured alternately in one process: the ratio is the median of the rounds' ratios, so that a drift of the
/// machine's speed affects both sides of each round alike.
/// </summary>
internal sealed record Comparison
{
    /// <summary>Stable and unique, lower case with dashes: <c>single-1kib</c>. Baselines and claims find a comparison by it.</summary>
    public required string Id { get; init; }

    /// <summary>The heading it is listed under, such as <c>One thread</c>.</summary>
    public required string Group { get; init; }

    /// <summary>The work, in a user's words.</summary>
    public required string Title { get; init; }

    public required string Ours { get; init; }

    public required string Peer { get; init; }

    /// <summary>Medians over the rounds, in <see cref="Unit"/>; less is better.</summary>
    public required double OursValue { get; init; }

    public required double PeerValue { get; init; }

    /// <summary><c>ns</c> or <c>B</c>.</summary>
    public required string Unit { get; init; }

    /// <summary>Median over the rounds of ours ÷ peer.</summary>
    public required double Ratio { get; init; }

    /// <summary>95 % interval of that median.</summary>
    public required double RatioLow { get; init; }

    public required double RatioHigh { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The largest ratio that the project accepts; null if there is no target.</summary>
    public double? Target { get; init; }

    /// <summary>The outcome that the interval supports. Within 2 % of equal, it is never a difference.</summary>
    [JsonIgnore]
    public Outcome Outcome => RatioHigh < 0.98 ? Outcome.Win : RatioLow > 1.02 ? Outcome.Loss : Outcome.NoDifference;

    [JsonIgnore]
    public bool? MeetsTarget => Target is null ? null : Ratio <= Target;
}

/// <summary>Who was better.</summary>
internal enum Outcome
{
    Win,
    NoDifference,
    Loss,
}

/// <summary>One comparison or table figure beside the same one of an earlier run.</summary>
internal sealed record Change
{
    public required string Id { get; init; }

    public required string Title { get; init; }

    public required double Before { get; init; }

    public required double Now { get; init; }

    /// <summary><c>ratio</c>, <c>ns</c> or <c>B</c>.</summary>
    public required string Unit { get; init; }

    public required ChangeKind Kind { get; init; }
}

/// <summary>Less is better in every figure the lab compares.</summary>
internal enum ChangeKind
{
    NoDifference,
    Better,
    Worse,
    Added,
    Removed,
}
