namespace Tarn.Lab.Claims;

/// <summary>
/// Something the README or the documents state, with what shows it. Its figure is the worst of its evidence, so that the sentence is
/// true of every size and every number of threads it speaks of.
/// </summary>
internal sealed record Claim
{
    /// <summary>Lower case with dashes; documents name it in <c>&lt;!-- claim:ID --&gt;</c>.</summary>
    public required string Id { get; init; }

    /// <summary>The sentence as documents state it; <c>{0}</c> is the figure.</summary>
    public required string Sentence { get; init; }

    /// <summary>The experiment that measures the evidence.</summary>
    public required string Experiment { get; init; }

    /// <summary>Ids of comparisons, whose ratios count, or of figures, whose values do.</summary>
    public required IReadOnlyList<string> Evidence { get; init; }

    /// <summary>No piece of evidence may be greater.</summary>
    public required double Bound { get; init; }

    public required FigureStyle Style { get; init; }

    /// <summary>
    /// The evidence is a comparison with a library that not every system has: without it, it is no failure not to have measured.
    /// </summary>
    public bool NeedsPeer { get; init; }
}
