using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>A heap of ours in a variable.</summary>
internal readonly unsafe struct TarnHeapInstance(NativeHeap heap) : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => heap.Reallocate(block, oldSize, newSize);
}
