extern alias Same;

using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A heap of this commit's library, compiled once more.</summary>
internal readonly unsafe struct SameHeap(Same::Tarn.Native.NativeHeap heap) : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);
}
