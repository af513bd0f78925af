namespace Tarn.Lab.Claims;

/// <summary>The measurement of one piece of a claim's evidence. A figure without an interval has itself as the interval.</summary>
internal sealed record ClaimEvidence(string Id, string Title, double Value, double Low, double High);
