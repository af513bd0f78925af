namespace Tarn.Tool.Memory.Figures;

/// <summary>A generation of the managed heap after the last collection. Sizes are bytes.</summary>
/// <param name="Name">The runtime's name for it: <c>gen0</c> to <c>gen2</c>, <c>loh</c> and <c>poh</c>.</param>
/// <param name="Bytes">Its size, holes included.</param>
/// <param name="HoleBytes">What of it is free between objects; null where the runtime does not tell, which it does from .NET 9 on.</param>
internal sealed record GenerationFigures(string Name, long Bytes, long? HoleBytes);
