namespace Tarn;

/// <summary>The counters of a <see cref="NativeHeap"/>: exact while no thread uses the heap, close otherwise.</summary>
/// <param name="InUseBytes">The bytes of the blocks allocated and not freed, each counted with its block size.</param>
/// <param name="InUseBlocks">The blocks allocated and not freed.</param>
/// <param name="RetainedBytes">
/// Committed bytes that are not in use: free blocks in caches and slabs, empty slabs, and kept large buffers. Free blocks between blocks in
/// use stay committed, but their memory goes back to the system once they are idle.
/// </param>
/// <param name="CommittedBytes">
/// Bytes that the operating system guarantees. Bytes never touched take no memory yet, and discarded free blocks between blocks in use take
/// none any more. They include what a reused large buffer has beyond the block that it serves, which is neither in use nor retained.
/// </param>
/// <param name="ReservedBytes">Bytes of address space.</param>
public readonly record struct NativeHeapStatistics(
    long InUseBytes, long InUseBlocks, long RetainedBytes, long CommittedBytes, long ReservedBytes);
