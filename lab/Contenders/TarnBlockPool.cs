using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>The pool behind one size class, used directly. It serves work of one size only: what a call says of the size is not looked at.</summary>
internal readonly unsafe struct TarnBlockPool(NativeBlockPool pool) : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => pool.Allocate();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => pool.Free(block);
}
