using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>jemalloc, freed with the size, which is its faster way.</summary>
/// <remarks>See <see cref="NativePeer"/> for why its functions are called as they are.</remarks>
internal readonly unsafe struct Jemalloc : IReallocator
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)NativePeers.Jemalloc.Find("malloc");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, int, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, int, void>)NativePeers.Jemalloc.Find("sdallocx");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)NativePeers.Jemalloc.Find("realloc");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block, size, 0);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}
