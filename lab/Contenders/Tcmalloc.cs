using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>gperftools' tcmalloc without its profilers, freed with the size.</summary>
/// <remarks>See <see cref="NativePeer"/> for why its functions are called as they are.</remarks>
internal readonly unsafe struct Tcmalloc : IReallocator
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)NativePeers.Tcmalloc.Find("tc_malloc");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void>)NativePeers.Tcmalloc.Find("tc_free_sized");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)NativePeers.Tcmalloc.Find("tc_realloc");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}
