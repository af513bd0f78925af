namespace Tarn.Lab.Experiments.Watched;

/// <summary>What a process used so far.</summary>
/// <param name="Processor">Nanoseconds of processor time.</param>
/// <param name="Pauses">Nanoseconds that collections stopped it for; NaN if unknown.</param>
/// <param name="Allocated">The bytes that it allocated.</param>
internal readonly record struct SampledUse(double Processor, double Pauses, double Allocated)
{
    /// <summary>What it used since then.</summary>
    public SampledUse Since(SampledUse before) =>
        new(Processor - before.Processor, Pauses - before.Pauses, Allocated - before.Allocated);
}
