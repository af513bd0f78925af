using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary><c>NativeHeap.Shared</c>, named directly; blocks are freed with their size.</summary>
internal readonly unsafe struct TarnHeap : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => NativeHeap.Shared.Reallocate(block, oldSize, newSize);
}
