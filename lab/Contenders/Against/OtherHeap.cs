using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A heap of the other commit's library.</summary>
internal readonly unsafe struct OtherHeap(OtherNativeHeap heap) : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);
}
