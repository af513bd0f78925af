namespace Tarn.Lab.Claims;

/// <summary>
/// A statement of the README or the documents, with its evidence. Its figure is the worst of its evidence, so that the sentence is true for
/// every size and every number of threads that it mentions.
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

    /// <summary>Further evidence that only a full run measures. What the report lacks is no failure.</summary>
    public IReadOnlyList<string> FullRunEvidence { get; init; } = [];

    /// <summary>The largest value that any piece of evidence may have.</summary>
    public required double Bound { get; init; }

    public required FigureStyle Style { get; init; }

    /// <summary>
    /// Whether the evidence is a comparison with a library that some systems lack. Without the library, a missing measurement is not a
    /// failure.
    /// </summary>
    public bool NeedsPeer { get; init; }
}
