using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Blocks for one type through <c>Allocate&lt;T&gt;</c>, whose size the compiler knows. What a call says of the size is not looked at.</summary>
internal readonly unsafe struct TarnConstant<T> : INativeAllocator
    where T : unmanaged
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate<T>();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free<T>(block);
}
