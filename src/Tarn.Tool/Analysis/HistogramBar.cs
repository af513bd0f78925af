namespace Tarn.Tool.Analysis;

/// <summary>A bar of a histogram whose bars double in width.</summary>
/// <param name="From">The lower bound, inclusive.</param>
/// <param name="Count">How many values are from <paramref name="From"/> to below twice that.</param>
internal sealed record HistogramBar(long From, long Count);
