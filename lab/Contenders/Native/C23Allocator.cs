using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>An allocator called by the names of the C standard, with C23's <c>free_sized</c>.</summary>
/// <remarks>See <see cref="NativePeer"/> for the reason its functions are called in this way.</remarks>
internal readonly unsafe struct C23Allocator<TLibrary> : IReallocator
    where TLibrary : struct, IC23Library
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)TLibrary.Peer.Find("malloc");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void>)TLibrary.Peer.Find("free_sized");

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)TLibrary.Peer.Find("realloc");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}

/// <summary>Whose functions a <see cref="C23Allocator{TLibrary}"/> calls.</summary>
internal interface IC23Library
{
    static abstract NativePeer Peer { get; }
}

/// <summary>Microsoft's snmalloc.</summary>
internal readonly struct Snmalloc : IC23Library
{
    public static NativePeer Peer => NativePeers.Snmalloc;
}

/// <summary>The tcmalloc that Google develops, with caches per processor; gperftools has its predecessor.</summary>
internal readonly struct GoogleTcmalloc : IC23Library
{
    public static NativePeer Peer => NativePeers.GoogleTcmalloc;
}
