namespace Tarn.Native;

/// <summary>The counters of one size class of a heap, for tests.</summary>
/// <param name="BlockSize">The size of its blocks, in bytes.</param>
/// <param name="InUseBlocks">Blocks allocated and not freed.</param>
/// <param name="RetainedBlocks">Free blocks kept for reuse.</param>
internal readonly record struct SizeClassCount(nuint BlockSize, long InUseBlocks, long RetainedBlocks);
