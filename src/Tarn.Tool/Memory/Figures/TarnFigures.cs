namespace Tarn.Tool.Memory.Figures;

/// <summary>A pool or heap of Tarn in a process. Sizes are bytes.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">Its kind. The buffers of an <c>array pool</c> are in the managed heap.</param>
/// <param name="InUseBytes">What it has handed out.</param>
/// <param name="RetainedBytes">What it keeps idle.</param>
internal sealed record TarnFigures(string Name, string Kind, long InUseBytes, long RetainedBytes);
