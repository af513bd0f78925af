namespace Tarn.Native;

/// <summary>The counters of a heap at one moment.</summary>
/// <param name="Rented">Blocks handed out so far.</param>
/// <param name="Allocated">Blocks handed out for the first time so far.</param>
/// <param name="InUseBlocks">Blocks handed out and not freed.</param>
/// <param name="InUseBytes">Their bytes.</param>
/// <param name="RetainedBytes">Bytes of free blocks and idle memory.</param>
/// <param name="CommittedBytes">Bytes that the system guarantees.</param>
/// <param name="ReservedBytes">Bytes of address space.</param>
/// <param name="Classes">The classes in use or kept, by size.</param>
internal sealed record HeapCount(
    long Rented,
    long Allocated,
    long InUseBlocks,
    long InUseBytes,
    long RetainedBytes,
    long CommittedBytes,
    long ReservedBytes,
    IReadOnlyList<SizeClassCount> Classes);
