using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Microsoft's mimalloc. Its sized free ignores the size, so the plain one is called.</summary>
/// <remarks>See <see cref="NativePeer"/> for why its functions are called as they are.</remarks>
internal readonly unsafe struct Mimalloc : IReallocator
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)NativePeers.Mimalloc.Find("mi_malloc");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, void>)NativePeers.Mimalloc.Find("mi_free");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)NativePeers.Mimalloc.Find("mi_realloc");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}
