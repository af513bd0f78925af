namespace Tarn;

/// <summary>The counters of one size class of a <see cref="NativeHeap"/>.</summary>
/// <param name="BlockSize">The size of its blocks, in bytes.</param>
/// <param name="InUseBlocks">Blocks allocated and not freed.</param>
/// <param name="RetainedBlocks">Free blocks kept for reuse.</param>
public readonly record struct NativeSizeClassStatistics(nuint BlockSize, long InUseBlocks, long RetainedBlocks);
