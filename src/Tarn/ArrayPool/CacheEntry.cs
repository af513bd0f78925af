namespace Tarn;

/// <summary>
/// One size class of one pool in one thread's cache: the top slot and the loaded magazine behind it. Entries are adjacent in pinned memory
/// (<see cref="CacheSection"/>), so the fast path reaches one from an address and the class's index.
/// </summary>
/// <remarks>
/// <para>Only the owning thread writes an entry, except for two stores that another thread may make to take memory back: it sets
/// <see cref="Top"/> to null, and <see cref="Items"/> to <see cref="CacheSection.Revoked"/>, which has no room. Both stores only drop
/// references. The collector keeps an array alive that the owner holds in a register at that moment, so neither store can hand a buffer to
/// two callers. A trimmer sets <see cref="Top"/> to null after it revoked <see cref="Items"/> and fenced every processor. The owner thereby
/// notices its own store to <see cref="Top"/> that came too late (<see cref="BufferPool{T}"/>, <c>ReturnToTop</c>).</para>
/// <para>The free buffers are <see cref="Top"/>, when <see cref="IsTopFree"/> is 1, and <c>Items[0 .. Count)</c>. References above
/// <see cref="Count"/>, and in a top slot that is not free, are stale: their buffers belong to the callers that rented them. They are kept
/// because a buffer returned to the same place then needs no store of a reference, which would cost a write barrier.</para>
/// </remarks>
internal struct CacheEntry
{
    /// <summary>The buffer handed out first and taken back first. Null until the first return and after a trim.</summary>
    internal Array? Top;

    /// <summary>
    /// The loaded magazine, never null. Its length is the room granted by the budget. It has no room while a trimmer has the magazine
    /// parked (<see cref="ArrayClassCache"/>) and the owner has not taken it back. It is <see cref="CacheSection.Revoked"/> unless a top
    /// slot was granted too.
    /// </summary>
    internal ArrayReference[] Items;

    /// <summary>
    /// What is behind the entry: the depot's buffers, and the room. Null until the thread uses the class, and once the pool or the thread
    /// is gone.
    /// </summary>
    internal ArrayClassCache? Cache;

    /// <summary>Buffers rented through this entry since it was set up.</summary>
    internal long Rented;

    /// <summary>The length of this class's arrays. It is 0 until the entry is set up, so that no array matches.</summary>
    internal int Length;

    /// <summary>The <see cref="PoolCore.Id"/> of the pool this entry serves.</summary>
    internal int Pool;

    /// <summary>1 while <see cref="Top"/> may be handed out. A separate field, so that a hit stores no reference.</summary>
    internal int IsTopFree;

    /// <summary>The number of free buffers in <see cref="Items"/>.</summary>
    internal int Count;

    /// <summary>
    /// Whether a buffer is the free top one or the newest of the magazine. One of the two is what the next rent hands out. For the owner.
    /// </summary>
    internal readonly bool IsNext(Array array)
    {
        // Once: a trimmer may replace it at any time.
        ArrayReference[] items = Volatile.Read(in Items);
        uint newest = (uint)(Count - 1);
        return (IsTopFree != 0 && Top == array) || (newest < (uint)items.Length && items[newest].Value == array);
    }
}
