using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>What one thread keeps for one pool. Its entries are pinned, and alive as long as anyone may use their addresses.</summary>
/// <remarks>
/// <see cref="Sync"/> guards the classes and everything that changes what the section has reserved of the pool's budget. The owning thread
/// takes it on its slow path only; a trimmer takes it for each section in turn.
/// </remarks>
internal sealed class CacheSection : IThreadSection
{
    /// <summary>The magazine of an entry that has no room: not set up yet, parked or trimmed.</summary>
    internal static readonly ArrayReference[] Revoked = [];

    /// <summary>The section of no pool: never written, so every access misses.</summary>
    internal static readonly CacheSection Empty = new();

    internal readonly CacheEntry[] Entries = GC.AllocateArray<CacheEntry>(SizeClass.IndexCount, pinned: true);

    /// <summary>Not readonly: taking it changes it.</summary>
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

    /// <summary>Unique, and not 0. A depot identifies its last visitor by it without keeping the section alive.</summary>
    internal int Id { get; } = Interlocked.Increment(ref s_lastId);

    /// <inheritdoc/>
    public unsafe nint Address => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(Entries));

    /// <summary>The pool this section serves and no other; null for <see cref="Empty"/>, and once the pool or the thread is gone.</summary>
    internal PoolCore? Pool { get; private set; }

    /// <summary>The class that came into use last; each knows the one before it. Under <see cref="Sync"/>.</summary>
    internal ArrayClassCache? Classes { get; private set; }

    /// <summary>
    /// What classes have borrowed of the thread's allowance, in bytes (<see cref="RoomAllowance"/>). Under <see cref="Sync"/>.
    /// </summary>
    internal long LentBytes { get; set; }

    /// <inheritdoc/>
    public void OnThreadEnded() => Pool?.Adopt(this);

    /// <summary>
    /// Nothing is kept here any more: lets go of the pool, which what is left of the section must not keep alive. Under <see cref="Sync"/>.
    /// </summary>
    internal void Leave()
    {
        Pool = null;
        Classes = null;
        Array.Clear(_classes);
    }

    /// <summary>
    /// What the thread keeps of a class; null if it never used it. Under <see cref="Sync"/>, or for the owner, which alone adds.
    /// </summary>
    internal ArrayClassCache? Find(uint index) => _classes[index];

    /// <summary>What the thread keeps of a class. Under <see cref="Sync"/>; for the owner.</summary>
    internal ArrayClassCache ClassOf(ArrayClass pool) => _classes[pool.Index] ??= Classes = new ArrayClassCache(this, pool, next: Classes);
}
