namespace Tarn;

/// <summary>Finds room under a pool's cap for a returned buffer, by giving up others that were not used recently.</summary>
/// <remarks>
/// <para>It first gives up places whose buffers are in use, then buffers of any depot that no thread needed in two spans of time.</para>
/// <para>If all buffers were used recently, the cap is smaller than the load needs. Giving up the least recently used buffer for each
/// returned one would serve a load that cycles through its sizes worst: each buffer would be gone just before its next use. So most
/// returned buffers are dropped, and one in <see cref="RefusalsPerSearch"/> replaces others. The retained buffers are reused, and the pool
/// still follows a change of the load. What threads keep is searched only for other pools: for this one, the clock takes it once they are
/// idle.</para>
/// <para>If it is the process's budget that leaves no room, and this pool has none to give, other pools and heaps give way
/// (<see cref="Relief"/>).</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class RoomSearch(PoolCore pool, PoolTrimmer trimmer)
{
    private const int RefusalsPerSearch = 8;

    private int _refusals;

    /// <summary>The class at which the next search begins, so that each class has its turn.</summary>
    private int _hand;

    /// <summary>What a thread has not used since a search this long ago, it gives to other pools.</summary>
    private static TimeSpan BetweenSearches => TimeSpan.FromMilliseconds(1);

    /// <summary>Makes room for a buffer of the class. Returns false if nothing was given up. The caller holds no lock.</summary>
    internal bool Make(ArrayClass wanted)
    {
        if (wanted.Bytes > pool.Budget.Limit)
        {
            return false;
        }

        TrimCount trimmed = new();
        long released = 0;
        bool othersGaveWay = false;
        try
        {
            if (wanted.IsFull)
            {
                wanted.Depot.Evict(1, ref trimmed);
            }
            else if ((released = GiveUpPlaces(wanted.Bytes)) < wanted.Bytes)
            {
                EvictUnused(wanted.Bytes - released, ref trimmed);
                if (trimmed.Bytes + released < wanted.Bytes && Interlocked.Increment(ref _refusals) % RefusalsPerSearch == 0)
                {
                    EvictAny(wanted.Bytes, ref trimmed);
                }

                othersGaveWay = trimmed.Bytes + released < wanted.Bytes && pool.Schedule.TryMakeRoom(pool.Budget, wanted.Bytes);
            }
        }
        catch (OutOfMemoryException)
        {
            // This must not fail a return. The buffers given up so far count.
        }

        trimmer.Note(trimmed);
        return trimmed.Buffers > 0 || released > 0 || othersGaveWay;
    }

    /// <summary>Gives up buffers of depots until they amount to <paramref name="bytes"/>.</summary>
    internal void EvictAny(long bytes, ref TrimCount trimmed) => Evict(bytes, onlyUnused: false, ref trimmed);

    /// <summary>
    /// Gives up about this many bytes for other pools: room without buffers, unneeded buffers, and then any if that is asked.
    /// </summary>
    internal void GiveWay(long bytes, bool onlyUnneeded, ref TrimCount trimmed)
    {
        long wanted = bytes - GiveUpPlaces(bytes);
        EvictUnused(wanted, ref trimmed);
        if (!onlyUnneeded && trimmed.Bytes < wanted)
        {
            EvictAny(wanted, ref trimmed);
            if (trimmed.Bytes < wanted)
            {
                trimmer.TrimSections(pool.Schedule.Now, BetweenSearches, ref trimmed);
            }
        }
    }

    private void EvictUnused(long bytes, ref TrimCount trimmed) => Evict(bytes, onlyUnused: true, ref trimmed);

    /// <summary>Gives up places that are currently empty, and returns their bytes.</summary>
    /// <remarks>
    /// By index: an enumerator of the classes would allocate an object for every refused buffer. A look comes before the lock of a depot:
    /// most have nothing to give.
    /// </remarks>
    private long GiveUpPlaces(long bytes)
    {
        long released = 0;
        int start = Volatile.Read(ref _hand);
        for (int i = 0; i < SizeClass.IndexCount && released < bytes; i++)
        {
            int index = (start + i) % SizeClass.IndexCount;
            if (pool.Find((uint)index) is { } candidate && candidate.Depot.Places > candidate.Depot.Count)
            {
                released += candidate.Depot.GiveUpPlaces(Missing(bytes - released, candidate)) * candidate.Bytes;
                Volatile.Write(ref _hand, index + 1);
            }
        }

        return released;
    }

    // Without a delegate: the first return that makes room may find no memory for one.
    private void Evict(long bytes, bool onlyUnused, ref TrimCount trimmed)
    {
        int start = Volatile.Read(ref _hand);
        for (int i = 0; i < SizeClass.IndexCount && trimmed.Bytes < bytes; i++)
        {
            int index = (start + i) % SizeClass.IndexCount;
            if (pool.Find((uint)index) is { } candidate && (onlyUnused ? candidate.Depot.UnusedCount : candidate.Depot.Count) > 0)
            {
                candidate.Depot.Evict(Missing(bytes - trimmed.Bytes, candidate), ref trimmed, onlyUnused);
                Volatile.Write(ref _hand, index);
            }
        }
    }

    /// <summary>Returns the number of the class's buffers that amount to this many bytes.</summary>
    private static long Missing(long bytes, ArrayClass candidate) => ((bytes - 1) / candidate.Bytes) + 1;
}
