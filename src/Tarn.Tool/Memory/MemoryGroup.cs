namespace Tarn.Tool.Memory;

/// <summary>A part of a process's memory: the resident bytes of all groups add up to those of the process.</summary>
/// <param name="Kind">Which part.</param>
/// <param name="ResidentBytes">What of it is in memory.</param>
/// <param name="SwappedBytes">What of it is in the swap space.</param>
/// <param name="Items">What it consists of, the largest first.</param>
internal sealed record MemoryGroup(MemoryGroupKind Kind, long ResidentBytes, long SwappedBytes, IReadOnlyList<MemoryItem> Items);
