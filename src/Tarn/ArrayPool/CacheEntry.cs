namespace Tarn;

/// <summary>
/// One size class of one pool in one thread's cache: the top slot and the loaded magazine behind it. Entries lie side by side in pinned
/// memory (<see cref="CacheSection"/>), so that the fast path reaches one with an address and the class's index.
/// </summary>
/// <remarks>
/// <para>Only the owning thread writes an entry, except for two stores that another thread may make to take memory back:
/// <see cref="Top"/> becomes null, and <see cref="Items"/> becomes <see cref="CacheSection.Revoked"/>, which has no room. Both only
/// drop references, and the collector keeps an array alive that the owner holds in a register at that moment, so neither can hand a
/// buffer to two callers. A trimmer nulls <see cref="Top"/> after it revoked <see cref="Items"/> and fenced every processor, which is
/// how the owner notices a store to <see cref="Top"/> that came too late (<see cref="BufferPool{T}"/>, <c>ReturnToTop</c>).</para>
/// <para>The free buffers are <see cref="Top"/>, when <see cref="IsTopFree"/> is 1, and <c>Items[0 .. Count)</c>. References above
/// <see cref="Count"/>, and in a top slot that is not free, are stale: they belong to whoever rented them and are kept because a
/// buffer that comes back to the same place then needs no store of a reference, which would cost a write barrier.</para>
/// </remarks>
internal struct CacheEntry
{
    /// <summary>The buffer handed out first and taken back first; null until one came back and after a trim.</summary>
    internal Array? Top;

    /// <summary>
    /// The loaded magazine; never null. Its length is the room granted by the budget. Without room while the trimmer has it parked
    /// (<see cref="ArrayClassCache"/>), until the owner asks for it.
    /// </summary>
    internal ArrayReference[] Items;

    /// <summary>Buffers rented through this entry since it was set up.</summary>
    internal long Rented;

    /// <summary>The length of this class's arrays; 0 until the entry is set up, so that no array matches.</summary>
    internal int Length;

    /// <summary>The <see cref="PoolCore.Id"/> of the pool this entry serves.</summary>
    internal int Pool;

    /// <summary>1 when <see cref="Top"/> may be handed out. Kept beside the reference so that a hit stores no reference.</summary>
    internal int IsTopFree;

    /// <summary>Free buffers in <see cref="Items"/>.</summary>
    internal int Count;
}
