namespace Tarn.Lab.Claims;

/// <summary>What was measured for one piece of a claim's evidence; the interval of a figure without one is the figure itself.</summary>
internal sealed record ClaimEvidence(string Id, string Title, double Value, double Low, double High);
