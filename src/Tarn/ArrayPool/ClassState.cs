namespace Tarn;

/// <summary>What a thread's cache knows of one size class beside its <see cref="CacheEntry"/>; guarded by the section's lock.</summary>
/// <remarks>
/// Equations, checked by <see cref="PoolCore.Validate"/>:
/// <code>
/// reserved slots = Items.Length + Previous.Length + (TopReserved ? 1 : 0)
/// returned       = Rented + IsTopFree + Count + PreviousCount + Outflow
/// </code>
/// where <see cref="Outflow"/> counts buffers that left the cache for the depot or the collector, less those that came in from the
/// depot and those that were made for a rent. So the fast path of a return counts nothing.
/// </remarks>
internal sealed class ClassState(uint index, int length, long bytes)
{
    internal readonly uint Index = index;

    internal readonly int Length = length;

    /// <summary>The size of one buffer.</summary>
    internal readonly long Bytes = bytes;

    /// <summary>The second magazine: it keeps a thread that hovers at a full or empty magazine away from the depot.</summary>
    internal ArrayReference[] Previous = CacheSection.Revoked;

    internal int PreviousCount;

    internal bool TopReserved;

    internal long Outflow;

    /// <summary>What the trimmer last saw change, and when.</summary>
    internal ClassActivity SeenActivity;

    internal TimeSpan ActiveAt;

    /// <summary>When the trimmer last began to watch <see cref="CacheEntry.LowCount"/>.</summary>
    internal TimeSpan WatchedSince;

    /// <summary>Whether both magazines were empty then.</summary>
    internal bool WasEmpty;

    /// <summary>The least number in <see cref="Previous"/> since then.</summary>
    internal int PreviousLowCount;

    internal ClassActivity ActivityOf(in CacheEntry entry) =>
        new(entry.Rented, Outflow, entry.IsTopFree + entry.Count + PreviousCount);
}

/// <summary>Different whenever the class was used: rents and exchanges only grow, and every return moves the number of free buffers.</summary>
internal readonly record struct ClassActivity(long Rented, long Outflow, int Free);
