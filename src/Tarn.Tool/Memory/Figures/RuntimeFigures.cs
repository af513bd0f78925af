namespace Tarn.Tool.Memory.Figures;

/// <summary>What a runtime says of its own memory. Sizes are bytes.</summary>
/// <param name="Generations">The generations after the last collection; empty before the first.</param>
/// <param name="CommittedBytes">What the collector had of the system at the last collection.</param>
/// <param name="Collections">The collections since the start; null where the runtime counts none (before .NET 9).</param>
/// <param name="CompiledMethods">The methods that were compiled since the start.</param>
/// <param name="Assemblies">The assemblies that are loaded.</param>
internal sealed record RuntimeFigures(
    IReadOnlyList<GenerationFigures> Generations, long CommittedBytes, long? Collections, long CompiledMethods, long Assemblies)
{
    /// <summary>The size of all generations.</summary>
    public long HeapBytes => Generations.Sum(one => one.Bytes);

    /// <summary>The holes of all generations that tell theirs.</summary>
    public long HoleBytes => Generations.Sum(one => one.HoleBytes ?? 0);
}
