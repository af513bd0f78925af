namespace Tarn.Tool.Rings;

/// <summary>What was written in a second.</summary>
/// <param name="Messages">Messages, or values; null if they cannot be counted.</param>
/// <param name="Bytes">Bytes; null if positions do not count them.</param>
/// <param name="IsEstimated">
/// Whether the messages are the bytes by the mean of some messages, because the others were overwritten before they could be counted.
/// </param>
internal sealed record RegionRate(double? Messages, double? Bytes, bool IsEstimated);
