namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// How much of a workload is done. Length only sets how long it runs: a short run has the live blocks, sizes and threads of a long one.
/// Footprint makes the live set smaller as well; only the passes that warm the code up, and tests, ask for less than 1.
/// </summary>
internal sealed record WorkloadSettings
{
    /// <summary>1 is the length of the original.</summary>
    public double Length { get; init; } = 1;

    public double Footprint { get; init; } = 1;

    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>Added to the seeds of the originals: 0 repeats theirs.</summary>
    public int Seed { get; init; }

    /// <summary>The part of the original's count that this run does, at least one.</summary>
    public int Times(double count) => (int)Math.Max(1, count * Length);

    /// <summary>The part of the original's seconds that this run takes, at least two milliseconds.</summary>
    public TimeSpan Duration(double seconds) => TimeSpan.FromSeconds(Math.Max(0.002, seconds * Length));

    /// <summary>The part of the original's live set that this run keeps.</summary>
    public int Live(int count, int atLeast = 1) => (int)Math.Max(atLeast, count * Footprint);
}
