namespace Tarn.Native;

/// <summary>The counters of a <see cref="NativeHeap"/>: exact while no thread uses the heap, close otherwise.</summary>
public readonly record struct NativeHeapStatistics
{
    /// <summary>The bytes of the blocks allocated and not freed, each counted with its block size.</summary>
    public long InUseBytes { get; init; }

    /// <summary>The blocks allocated and not freed.</summary>
    public long InUseBlocks { get; init; }

    /// <summary>
    /// Committed bytes that are not in use: free blocks in caches and slabs, empty slabs, and kept large buffers. Free blocks between
    /// blocks in use stay committed, but their memory goes back to the system once they are idle.
    /// </summary>
    public long RetainedBytes { get; init; }

    /// <summary>
    /// Bytes that the operating system guarantees. Bytes never touched take no memory yet, and discarded free blocks between blocks in use
    /// take none any more. They include what a reused large buffer has beyond the block that it serves, which is neither in use nor
    /// retained.
    /// </summary>
    public long CommittedBytes { get; init; }

    /// <summary>Bytes of address space.</summary>
    public long ReservedBytes { get; init; }
}
