namespace Tarn.Diagnostics;

/// <summary>How to sample.</summary>
/// <param name="Interval">The mean number of bytes between samples, at least 1.</param>
/// <param name="Seed">The beginning of the random numbers: with the same seed, the first thread that counts draws the same gaps.</param>
/// <param name="IsLimited">Whether the mean rises where samples would take too much time (<see cref="SampleThrottle"/>).</param>
internal readonly record struct SamplingOptions(long Interval, ulong Seed, bool IsLimited = true);
