namespace Tarn.Lab.Contenders.Native;

/// <summary>An allocator that changes a block's size and keeps its contents.</summary>
internal unsafe interface IReallocator : INativeAllocator
{
    void* Reallocate(void* block, nuint oldSize, nuint newSize);
}
