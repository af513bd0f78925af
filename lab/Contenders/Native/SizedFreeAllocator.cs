using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>An allocator that is told the size of a block on free.</summary>
/// <remarks>See <see cref="NativePeer"/> for the reason its functions are called in this way.</remarks>
internal readonly unsafe struct SizedFreeAllocator<TLibrary> : IReallocator
    where TLibrary : struct, ISizedFreeLibrary
{
    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*> s_allocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<nuint, void*>)TLibrary.Peer.Find(TLibrary.Allocate);

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void> s_free =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void>)TLibrary.Peer.Find(TLibrary.Free);

    private static readonly delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*> s_reallocate =
        (delegate* unmanaged[Cdecl, SuppressGCTransition]<void*, nuint, void*>)TLibrary.Peer.Find(TLibrary.Reallocate);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => s_allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => s_free(block, size);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => s_reallocate(block, newSize);
}

/// <summary>Whose functions a <see cref="SizedFreeAllocator{TLibrary}"/> calls: by default those of C23.</summary>
internal interface ISizedFreeLibrary
{
    static abstract NativePeer Peer { get; }

    static virtual string Allocate => "malloc";

    static virtual string Free => "free_sized";

    static virtual string Reallocate => "realloc";
}

/// <summary>gperftools' tcmalloc without its profilers.</summary>
internal readonly struct Tcmalloc : ISizedFreeLibrary
{
    public static NativePeer Peer => NativePeers.Tcmalloc;

    public static string Allocate => "tc_malloc";

    public static string Free => "tc_free_sized";

    public static string Reallocate => "tc_realloc";
}

/// <summary>Microsoft's snmalloc.</summary>
internal readonly struct Snmalloc : ISizedFreeLibrary
{
    public static NativePeer Peer => NativePeers.Snmalloc;
}

/// <summary>The tcmalloc that Google develops, with caches per processor; gperftools has its predecessor.</summary>
internal readonly struct GoogleTcmalloc : ISizedFreeLibrary
{
    public static NativePeer Peer => NativePeers.GoogleTcmalloc;
}
