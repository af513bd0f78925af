namespace Tarn.Tool.Memory.Figures;

/// <summary>A heap of <c>malloc</c>. Sizes are bytes.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="ResidentBytes">What of it is in memory.</param>
/// <param name="FreeBytes">What of that is in no block; null if that is not known.</param>
internal sealed record MallocHeap(ulong Address, long ResidentBytes, long? FreeBytes);
