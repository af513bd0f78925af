using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The entries of one pool in one thread's cache. Pinned, and alive as long as the cache, so that addresses stay valid.</summary>
/// <remarks>
/// <see cref="Sync"/> guards <see cref="States"/> and everything that changes what the section has reserved of the pool's budget. The
/// owning thread takes it on its slow path only; whoever trims takes it for each section in turn.
/// </remarks>
internal sealed class CacheSection
{
    /// <summary>The magazine of an entry that has no room: not set up yet, or trimmed.</summary>
    internal static readonly ArrayReference[] Revoked = [];

    /// <summary>The section of every pool that a thread has not used: never written, so every access misses.</summary>
    internal static readonly CacheSection Empty = new();

    internal readonly CacheEntry[] Entries = GC.AllocateArray<CacheEntry>(SizeClass.IndexCount, pinned: true);

    internal readonly ClassState?[] States = new ClassState?[SizeClass.IndexCount];

    internal readonly Lock Sync = new();

    /// <summary>The pool this section serves; null when it serves none.</summary>
    internal PoolCore? Pool;

    internal CacheSection()
    {
        foreach (ref CacheEntry entry in Entries.AsSpan())
        {
            entry.Items = Revoked;
        }
    }

    /// <summary>Where <see cref="Entries"/> lie.</summary>
    internal unsafe nint Address => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(Entries));
}
