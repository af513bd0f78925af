namespace Tarn.Lab.Contenders.Native;

/// <summary>
/// Memory outside the garbage collector, as one kind of caller gets it. Structs, so that the calls are inlined into loops that are
/// compiled for each of them alone. Contents of a block are undefined. An allocator without memory throws or returns null, but no workload
/// goes that far.
/// </summary>
internal unsafe interface INativeAllocator
{
    void* Allocate(nuint size);

    /// <param name="block">A block of this allocator.</param>
    /// <param name="size">The requested size. An allocator without a use for it ignores it, as in that caller's code.</param>
    void Free(void* block, nuint size);
}
