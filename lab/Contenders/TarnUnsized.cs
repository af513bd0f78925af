using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary><c>NativeHeap.Shared</c> as code uses it that does not know a block's size when it frees it.</summary>
internal readonly unsafe struct TarnUnsized : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free(block);
}
