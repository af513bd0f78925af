namespace Tarn;

/// <summary>What a thread's cache knows of one size class beside its <see cref="CacheEntry"/>; guarded by the section's lock.</summary>
/// <remarks>
/// Equations, checked by <see cref="PoolCore.Validate"/>:
/// <code>
/// reserved slots = Items.Length + Parked.Length + Previous.Length + (TopReserved ? 1 : 0)
/// returned       = Rented + IsTopFree + Count + PreviousCount + Outflow
/// </code>
/// where <see cref="Outflow"/> counts buffers that left the cache for the depot or the collector, less those that came in from the
/// depot and those that were made for a rent. So the fast path of a return counts nothing.
/// </remarks>
internal sealed class ClassState(uint index, long bytes)
{
    internal readonly uint Index = index;

    /// <summary>The size of one buffer.</summary>
    internal readonly long Bytes = bytes;

    /// <summary>The second magazine: it keeps a thread that hovers at a full or empty magazine away from the depot.</summary>
    internal ArrayReference[] Previous = CacheSection.Revoked;

    internal int PreviousCount;

    /// <summary>
    /// The loaded magazine while the trimmer watches whether it is needed: the entry has none meanwhile, so its owner comes along the
    /// slow path when it wants it, and takes it back. Null when it is not parked. Costs nothing on the fast path.
    /// </summary>
    internal ArrayReference[]? Parked;

    /// <summary>When the trimmer parked it.</summary>
    internal TimeSpan ParkedAt;

    /// <summary>
    /// Not 0 while <see cref="Previous"/> is what was left of a loaded magazine of which the owner may not need all: how many it took
    /// of that last. What it leaves there was not used.
    /// </summary>
    internal int RestTaken;

    /// <summary>When the owner last used <see cref="Previous"/>.</summary>
    internal LastUse PreviousUse;

    internal bool TopReserved;

    internal long Outflow;

    /// <summary>What the trimmer last saw change, and when.</summary>
    internal ClassActivity SeenActivity;

    internal TimeSpan ActiveAt;

    /// <summary>The loaded magazine, wherever it is.</summary>
    internal ArrayReference[] LoadedOf(in CacheEntry entry) => Parked ?? entry.Items;

    internal ClassActivity ActivityOf(in CacheEntry entry) =>
        new(entry.Rented, Outflow, entry.IsTopFree + entry.Count + PreviousCount);
}

/// <summary>Different whenever the class was used: rents and exchanges only grow, and every return moves the number of free buffers.</summary>
internal readonly record struct ClassActivity(long Rented, long Outflow, int Free);
