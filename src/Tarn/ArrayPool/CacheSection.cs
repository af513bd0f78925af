using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One thread's cache for one pool. Its entries are pinned, and live as long as their addresses may be used.</summary>
/// <remarks>
/// <see cref="Sync"/> guards the classes and every change of the room that the section has reserved from the pool's budget. The owning
/// thread takes the lock on its slow path only. A trimmer takes it for each section in turn.
/// </remarks>
internal sealed class CacheSection : IThreadSection
{
    /// <summary>The entries of sections to come. The first field, because the initializers below use it.</summary>
    private static readonly PinnedSpares<CacheEntry> s_entries = new(SizeClass.IndexCount);

    /// <summary>The magazine of an entry without room, because it is not set up yet, parked or trimmed.</summary>
    internal static readonly ArrayReference[] Revoked = [];

    /// <summary>
    /// The magazine of an entry whose only room is its top slot. Another object than <see cref="Revoked"/>, so that the fast path can tell
    /// whether there is a top slot: a thread that keeps one buffer takes another thread's back there without a lock.
    /// </summary>
#pragma warning disable CA1825 // the empty array that all share is the other one
    internal static readonly ArrayReference[] TopAlone = new ArrayReference[0];
#pragma warning restore CA1825

    /// <summary>The section of no pool. It is never written, so every access misses.</summary>
    internal static readonly CacheSection Empty = new();

    internal readonly CacheEntry[] Entries = s_entries.Take();

    /// <summary>Not readonly, because entering the lock changes it.</summary>
    internal ShortLock Sync;

    private static int s_lastId;

    private readonly ArrayClassCache?[] _classes;

    internal CacheSection(PoolCore pool)
    {
        Pool = pool;
        _classes = new ArrayClassCache?[SizeClass.IndexCount];
        Empty.Entries.AsSpan().CopyTo(Entries);
    }

    private CacheSection()
    {
        _classes = [];
        foreach (ref CacheEntry entry in Entries.AsSpan())
        {
            entry.Items = Revoked;
        }
    }

    /// <summary>A unique number, never 0, by which a depot identifies its last visitor without keeping the section alive.</summary>
    internal int Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <inheritdoc/>
    public unsafe nint Address => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(Entries));

    /// <summary>The only pool this section serves. Null for <see cref="Empty"/>, and once the pool or the thread is gone.</summary>
    internal PoolCore? Pool { get; private set; }

    /// <summary>The class that came into use most recently, which links to the one before it. Under <see cref="Sync"/>.</summary>
    internal ArrayClassCache? Classes { get; private set; }

    /// <summary>
    /// The bytes that classes have borrowed from the thread's allowance (<see cref="RoomAllowance"/>). Under <see cref="Sync"/>.
    /// </summary>
    internal long LentBytes { get; set; }

    /// <summary>Allocates the entries of sections to come.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for all of them.</exception>
    internal static void Reserve(int count) => s_entries.Reserve(count);

    /// <inheritdoc/>
    public void OnThreadEnded() => Pool?.Adopt(this);

    /// <summary>
    /// Releases the reference to the pool once the section keeps nothing, so that the section does not keep the pool alive. Under
    /// <see cref="Sync"/>.
    /// </summary>
    internal void Leave()
    {
        Pool = null;
        Classes = null;
        Array.Clear(_classes);
    }

    /// <summary>
    /// The thread's cache of a class, or null if the thread never used the class. Under <see cref="Sync"/>, or for the owner, which alone
    /// adds classes.
    /// </summary>
    internal ArrayClassCache? Find(uint index) => _classes[index];

    /// <summary>The thread's cache of a class, created on first use. Under <see cref="Sync"/>; for the owner.</summary>
    internal ArrayClassCache ClassOf(ArrayClass pool) => _classes[pool.Index] ??= Classes = new ArrayClassCache(this, pool, next: Classes);
}
