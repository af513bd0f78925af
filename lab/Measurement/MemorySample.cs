namespace Tarn.Lab.Measurement;

/// <summary>Memory at one moment of a run.</summary>
internal readonly record struct MemorySample(
    double Seconds, long InUseBytes, long RetainedBytes, long ManagedBytes, long ResidentBytes, int Collections);
