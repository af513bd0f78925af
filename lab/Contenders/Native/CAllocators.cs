using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>The C library's malloc: glibc's on most Linux systems.</summary>
/// <remarks>See <see cref="NativePeer"/> for the reason its functions are called in this way.</remarks>
internal readonly unsafe struct GlibcMalloc : IReallocator
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)NativePeers.CLibrary.Find("malloc");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, void>)NativePeers.CLibrary.Find("free");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)NativePeers.CLibrary.Find("realloc");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}

/// <summary>jemalloc, freed with the size, which is its faster way.</summary>
/// <remarks>See <see cref="NativePeer"/> for the reason its functions are called in this way.</remarks>
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

/// <summary>Microsoft's mimalloc. Its sized free ignores the size, so the plain one is called.</summary>
/// <remarks>See <see cref="NativePeer"/> for the reason its functions are called in this way.</remarks>
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
