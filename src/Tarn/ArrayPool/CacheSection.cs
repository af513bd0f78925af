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

    private readonly ArrayClassCache?[] _classes;

    /// <summary>The pool's. A call may still need it when the pool has just left.</summary>
    private readonly ThreadRoom _room;

    /// <summary>Whether the owner uses the pool. Under <see cref="Sync"/>. Not readonly, because counting changes it.</summary>
    internal RoomUse Use;

    internal CacheSection(PoolCore pool)
    {
        Pool = pool;
        _room = pool.ThreadRoom;
        Use = new RoomUse(_room);
        _classes = new ArrayClassCache?[SizeClass.IndexCount];
        Empty.Entries.AsSpan().CopyTo(Entries);
    }

    private CacheSection()
    {
        _classes = [];
        _room = new ThreadRoom(new MemoryBudget(0));
        foreach (ref CacheEntry entry in Entries.AsSpan())
        {
            entry.Items = Revoked;
        }
    }

    /// <inheritdoc/>
    public unsafe nint Address => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(Entries));

    /// <summary>The only pool this section serves. Null for <see cref="Empty"/>, and once the pool or the thread is gone.</summary>
    internal PoolCore? Pool { get; private set; }

    /// <summary>The class that came into use most recently, which links to the one before it. Under <see cref="Sync"/>.</summary>
    internal ArrayClassCache? Classes { get; private set; }

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
        Use.Count(isUsed: false);
        Pool = null;
        for (ArrayClassCache? cache = Classes; cache is not null; cache = cache.Next)
        {
            Entries[cache.Shared.Index].Cache = null;
        }

        Classes = null;
        Array.Clear(_classes);
    }

    /// <summary>
    /// The thread's cache of a class, or null if the thread never used the class. Under <see cref="Sync"/>, or for the owner, which alone
    /// adds classes.
    /// </summary>
    internal ArrayClassCache? Find(uint index) => _classes[index];

    /// <summary>The thread's cache of a class, created on first use. Under <see cref="Sync"/>; for the owner.</summary>
    internal ArrayClassCache ClassOf(ArrayClass shared) =>
        _classes[shared.Index] ??= Classes = new ArrayClassCache(this, shared, next: Classes);

    /// <summary>Grants room for all of these free buffers of a class, or for none. Under <see cref="Sync"/>; for the owner.</summary>
    /// <param name="shared">The class.</param>
    /// <param name="had">The slots that the class already has here.</param>
    /// <param name="more">The number.</param>
    internal bool TryReserve(ArrayClass shared, int had, int more)
    {
        long bytes = more * shared.Bytes;
        if (!_room.TryReserve(bytes, isGuaranteed: had + more <= shared.Room.Guaranteed))
        {
            return false;
        }

        if (!shared.TryReserve(more))
        {
            _room.Release(bytes);
            return false;
        }

        shared.Wake();
        return true;
    }

    /// <summary>Gives the room of slots back. Under <see cref="Sync"/>.</summary>
    internal void Release(ArrayClass shared, int slots)
    {
        TurnIntoPlaces(shared, slots);
        if (slots > 0)
        {
            shared.Release(slots);
        }
    }

    /// <summary>Turns room of slots into room of the depot. Under <see cref="Sync"/>.</summary>
    internal void TurnIntoPlaces(ArrayClass shared, int slots)
    {
        // Usually there is none, and all threads share the cache lines of the pool's counters.
        if (slots > 0)
        {
            _room.Release(slots * shared.Bytes);
        }
    }
}
