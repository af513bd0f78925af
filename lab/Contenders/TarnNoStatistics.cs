using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>A heap of ours in a variable, made without statistics. A type apart from <see cref="TarnHeapInstance"/>, so that neither sees the other in its profile.</summary>
internal readonly unsafe struct TarnNoStatistics(NativeHeap heap) : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);
}
