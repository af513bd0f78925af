namespace Tarn;

/// <summary>Finds room under a pool's cap for a buffer that came back, by giving up others that were not used of late.</summary>
/// <remarks>
/// <para>First go places whose buffers are out, then what nobody asked for over two spans of time, in whatever depot it lies. A span ends
/// by the clock (<see cref="PoolCore.TurnDepots"/>), or when as many buffers were refused as the depots hold.</para>
/// <para>Where all was used of late, the cap is smaller than the load needs. Giving up the least used buffer for each one that comes would
/// serve a load that goes round its sizes worst of all: each would be gone just before it is asked for again. So most of those that come
/// are dropped, and one in <see cref="RefusalsPerSearch"/> takes the place of others: what stays is reused, and yet the pool follows when
/// the load changes. Those others are, in turn: what this thread keeps of other classes and did not use since the last search, what lies in
/// depots, and what other threads keep and did not use.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class RoomSearch(PoolCore pool)
{
    private const int RefusalsPerSearch = 8;

    /// <summary>A span has at least so many refusals, however little the depots hold.</summary>
    private const int LeastRefusalsInSpan = 64;

    private int _refusals;

    /// <summary>The refusals left until the span ends.</summary>
    private int _leftInSpan = LeastRefusalsInSpan;

    /// <summary>Where among the classes the next search begins, so that each has its turn.</summary>
    private int _hand;

    /// <summary>Makes room for a buffer of the class; false when nothing was given up. No lock is held.</summary>
    /// <param name="wanted">The buffer's class.</param>
    /// <param name="mine">This thread's section, if it has one.</param>
    internal bool Make(ArrayClass wanted, CacheSection? mine)
    {
        if (wanted.Bytes > pool.Budget.Limit)
        {
            return false;
        }

        TrimCount trimmed = new();
        long released = 0;
        try
        {
            if (wanted.IsFull)
            {
                wanted.Depot.Evict(1, ref trimmed);
            }
            else if ((released = GiveUpPlaces(wanted)) < wanted.Bytes)
            {
                EndSpanIfDue(ref trimmed);
                EvictUnused(wanted.Bytes - released, ref trimmed);
                if (trimmed.Bytes + released < wanted.Bytes && Interlocked.Increment(ref _refusals) % RefusalsPerSearch == 0)
                {
                    Search(wanted, mine, ref trimmed);
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // A return does not fail for that. What was given up so far counts.
        }

        pool.Note(trimmed);
        return trimmed.Buffers > 0 || released > 0;
    }

    /// <summary>Gives up what lies in depots until it makes <paramref name="bytes"/>.</summary>
    internal void EvictAny(long bytes, ref TrimCount trimmed) => Evict(bytes, except: null, onlyUnused: false, ref trimmed);

    private void EvictUnused(long bytes, ref TrimCount trimmed) =>
        Evict(bytes, except: null, onlyUnused: true, ref trimmed);

    private void EndSpanIfDue(ref TrimCount trimmed)
    {
        if (Interlocked.Decrement(ref _leftInSpan) == 0)
        {
            pool.TurnDepots(ref trimmed);
            Volatile.Write(ref _leftInSpan, Math.Max(LeastRefusalsInSpan, CountInDepots()));
        }
    }

    // By index, here and below: an enumerator of the classes would be an object for every buffer that is refused.
    private int CountInDepots()
    {
        int count = 0;
        for (uint index = 0; index < SizeClass.IndexCount; index++)
        {
            count += pool.Find(index)?.Depot.Count ?? 0;
        }

        return count;
    }

    /// <summary>Gives up places that no buffer is in just now; the bytes they stood for.</summary>
    private long GiveUpPlaces(ArrayClass wanted)
    {
        long released = 0;
        for (uint index = 0; index < SizeClass.IndexCount && released < wanted.Bytes; index++)
        {
            if (pool.Find(index) is { } candidate)
            {
                released += candidate.Depot.GiveUpPlaces(Missing(wanted.Bytes - released, candidate)) * candidate.Bytes;
            }
        }

        return released;
    }

    // Without a delegate: the first return that makes room may find no memory for one.
    private void Evict(long bytes, ArrayClass? except, bool onlyUnused, ref TrimCount trimmed)
    {
        int start = Volatile.Read(ref _hand);
        for (int i = 0; i < SizeClass.IndexCount && trimmed.Bytes < bytes; i++)
        {
            int index = (start + i) % SizeClass.IndexCount;
            if (pool.Find((uint)index) is { } candidate && candidate != except)
            {
                Depot depot = candidate.Depot;
                depot.Evict(Math.Min(Missing(bytes - trimmed.Bytes, candidate), onlyUnused ? depot.UnusedCount : depot.Count), ref trimmed);
                Volatile.Write(ref _hand, index);
            }
        }
    }

    /// <summary>How many buffers of the class make so many bytes.</summary>
    private static long Missing(long bytes, ArrayClass candidate) => ((bytes - 1) / candidate.Bytes) + 1;

    private void Search(ArrayClass wanted, CacheSection? mine, ref TrimCount trimmed)
    {
        if (mine is not null)
        {
            using (mine.Sync.Hold())
            {
                for (ArrayClassCache? cache = mine.Classes; cache is not null && trimmed.Bytes < wanted.Bytes; cache = cache.Next)
                {
                    if (cache.Pool != wanted && cache.GiveWay(ref trimmed))
                    {
                        cache.RevokeTop(ref trimmed);
                    }
                }
            }
        }

        Evict(wanted.Bytes, except: wanted, onlyUnused: false, ref trimmed);
        if (trimmed.Bytes >= wanted.Bytes)
        {
            return;
        }

        foreach (CacheSection section in pool.GetSections())
        {
            if (section != mine && trimmed.Bytes < wanted.Bytes)
            {
                SearchOthers(section, ref trimmed);
            }
        }
    }

    /// <summary>
    /// The owner may be in the middle of a call: magazines first, then a fence, then top slots; see <see cref="CacheEntry"/>.
    /// </summary>
    private static void SearchOthers(CacheSection section, ref TrimCount trimmed)
    {
        using (section.Sync.Hold())
        {
            List<ArrayClassCache>? unused = null;
            for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
            {
                if (cache.GiveWay(ref trimmed))
                {
                    (unused ??= []).Add(cache);
                }
            }

            if (unused is not null)
            {
                Interlocked.MemoryBarrierProcessWide();
                foreach (ArrayClassCache cache in unused)
                {
                    cache.RevokeTop(ref trimmed);
                }
            }
        }
    }
}
