namespace Tarn.SharedMemory;

/// <summary>How large a region is, and what its header states of what is in it.</summary>
/// <param name="Size">Its size, in bytes.</param>
/// <param name="Longest">The length of a longest message or of a value, in bytes; 0 if it has neither.</param>
/// <param name="Number">What kind of number a value is.</param>
internal readonly record struct RegionShape(long Size, int Longest = 0, NumberKind Number = NumberKind.Unknown);
