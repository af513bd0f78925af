using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>
/// Blocks for one type through <c>Allocate&lt;T&gt;</c>, whose size the compiler knows. The size argument of a call is ignored.
/// </summary>
internal readonly unsafe struct TarnConstant<T> : INativeAllocator
    where T : unmanaged
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate<T>();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free<T>(block);
}

/// <summary><c>NativeHeap.Shared</c>, named directly; blocks are freed with their size.</summary>
internal readonly unsafe struct TarnHeap : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => NativeHeap.Shared.Reallocate(block, oldSize, newSize);
}

/// <summary>A heap of ours in a variable.</summary>
internal readonly unsafe struct TarnHeapInstance(NativeHeap heap) : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => heap.Reallocate(block, oldSize, newSize);
}

/// <summary>
/// A heap of ours in a variable, made without statistics. A type apart from <see cref="TarnHeapInstance"/>, so that neither sees the other
/// in its profile.
/// </summary>
internal readonly unsafe struct TarnNoStatistics(NativeHeap heap) : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => heap.Free(block, size);
}

/// <summary><c>NativeHeap.Shared</c> as used by code that does not know a block's size when it frees it.</summary>
internal readonly unsafe struct TarnUnsized : INativeAllocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeHeap.Shared.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeHeap.Shared.Free(block);
}
