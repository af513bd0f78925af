namespace Tarn;

/// <summary>The counters of a <see cref="NativeHeap"/>: exact while no thread uses it, close otherwise.</summary>
/// <param name="InUseBytes">Bytes of the blocks handed out and not freed, each counted with its block size.</param>
/// <param name="InUseBlocks">Blocks handed out and not freed.</param>
/// <param name="RetainedBytes">
/// Committed bytes that are not in use: free blocks in caches and slabs, empty slabs, large buffers kept. Those amid blocks in use stay
/// committed, but the memory behind them has gone back to the system once they lay idle.
/// </param>
/// <param name="CommittedBytes">
/// Bytes the operating system stands for: what was never touched takes no memory yet, what lies free amid blocks in use none any more.
/// </param>
/// <param name="ReservedBytes">Bytes of address space.</param>
public readonly record struct NativeHeapStatistics(
    long InUseBytes, long InUseBlocks, long RetainedBytes, long CommittedBytes, long ReservedBytes);
