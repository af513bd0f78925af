namespace Tarn;

/// <content>Filling and emptying a thread's magazines. Everything here runs under the section's lock.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>No magazine holds more: its pointers fill an OS page.</summary>
    private const int MaxCapacity = 512;

    /// <summary>Nor more bytes of blocks, if it can hold a few at all.</summary>
    private const nuint MaxMagazineBytes = 512 << 10;

    private const int LeastCapacity = 16;

    /// <summary>
    /// A multiple of 16, and doubled from then on: sixteen blocks are whole cache lines for every size, so that two threads that write to
    /// blocks which were never out before do not write to one line.
    /// </summary>
    private const int FirstCapacity = 32;

    /// <summary>Blocks smaller than this share cache lines.</summary>
    private const nuint LineSize = 64;

    /// <summary>
    /// A thread that frees a few small blocks of others, and none of its own, gives them back to their slabs: would it hand them out
    /// again, it and their neighbours' owners would write to the same cache lines. From this many on, speed counts.
    /// </summary>
    private const int FreesBeforeMagazine = 8;

    /// <summary>The most blocks a magazine of the class holds.</summary>
    private static int MaxCapacityOf(nuint blockSize) => (int)Math.Clamp(MaxMagazineBytes / blockSize, LeastCapacity, MaxCapacity);

    /// <summary>The owner comes along the slow path: it takes back what trimmers left it, and the room for more.</summary>
    private void Unpark(BlockClassCache cache)
    {
        if (!cache.IsParked)
        {
            return;
        }

        cache.Unpark();
        BlockMagazine loaded = cache.Loaded!;
        long room = GrantFor(cache.BlockSize, (int)loaded.Words[BlockMagazine.Capacity]);
        if (loaded.Granted == room)
        {
            return;
        }

        if (TryGrant(room, evict: false))
        {
            loaded.Granted = room;
        }
        else
        {
            Empty(cache.Index, loaded, _tickedAt);
            loaded.Open(0, 0);
        }
    }

    /// <summary>Puts blocks into the empty loaded magazine, or loads one with blocks; false when there are none to be had or no room.</summary>
    private bool TryRefill(BlockClassCache cache)
    {
        if (cache.Previous is { FreeCount: > 0 } previous)
        {
            BlockMagazine? drained = cache.Loaded;
            cache.Previous = drained;
            cache.PreviousUse.Note();
            if (drained is not null && previous.Count >= drained.Words[BlockMagazine.Capacity] / 2)
            {
                previous.MoveQuarterTo(drained, fromTop: false);
            }

            cache.Load(previous);
            return true;
        }

        return TryLoadFromDepot(cache) || TryFillFromSlabs(cache);
    }

    /// <summary>Exchanges the empty loaded magazine for one with blocks; false when there is none.</summary>
    private bool TryLoadFromDepot(BlockClassCache cache)
    {
        if (_depots[cache.Index].BlockCount == 0)
        {
            return false;
        }

        BlockMagazine? empty = cache.Loaded;
        cache.Load(null);
        if (cache.Previous is null)
        {
            cache.Previous = empty;
            empty = null;
        }

        // Once it is in the depot it is not this thread's to write to.
        long granted = empty?.Granted ?? 0;
        empty?.Open(0, 0);
        BlockMagazine? filled = _depots[cache.Index].TakeFilled(empty);
        Budget.Release(granted);
        cache.Load(filled);
        return filled is not null;
    }

    /// <summary>The loaded magazine, made larger while the class is young, with blocks from the slabs.</summary>
    private bool TryFillFromSlabs(BlockClassCache cache)
    {
        if (!TryGrow(cache, evict: true) && cache.Loaded is null)
        {
            return false;
        }

        BlockMagazine loaded = cache.Loaded!;
        int wanted = (int)loaded.Words[BlockMagazine.Capacity];
        Span<nint> items = new(loaded.Words + BlockMagazine.Items, wanted);
        int taken = _slabs[cache.Index].Take(items, _tickedAt);
        items[(wanted - taken)..].CopyTo(items);
        loaded.Fill(taken);
        return taken > 0;
    }

    /// <summary>Makes the loaded magazine have room for one more block, or loads one that has; false when the budget grants none.</summary>
    private bool TryMakeRoom(BlockClassCache cache)
    {
        if (_slabs[cache.Index].IsSparse(Budget.Limit))
        {
            return false;
        }

        if (cache.Loaded is null)
        {
            bool isEarly = cache.BlockSize < LineSize && cache.FreesWithoutMagazine++ < FreesBeforeMagazine;
            return !isEarly && TryGrow(cache, evict: true);
        }

        if (TryGrow(cache, evict: false))
        {
            return true;
        }

        if (cache.Previous is { FreeCount: 0 } empty && empty.Words[BlockMagazine.Capacity] > 0)
        {
            BlockMagazine full = cache.Loaded;
            cache.Previous = full;
            cache.PreviousUse.Note();
            cache.Load(empty);
            full.MoveQuarterTo(empty, fromTop: true);
            return true;
        }

        int most = MaxCapacityOf(cache.BlockSize);
        BlockMagazine? replacement = null;
        if (cache.Previous is { FreeCount: > 0 } surplus
            && !_depots[cache.Index].TryAddFilled(surplus, _tickedAt, most, out replacement))
        {
            // Enough lie in the depot: these blocks go to their slabs, and the magazine is used again.
            Empty(cache.Index, surplus, _tickedAt);
            cache.Previous = cache.Loaded;
            cache.PreviousUse.Note();
            cache.Load(surplus);
            return true;
        }

        cache.Previous = cache.Loaded;
        cache.PreviousUse.Note();
        cache.Load(null);
        return TryOpen(cache, most, evict: true, replacement);
    }

    /// <summary>Doubles the loaded magazine's room up to the class's most; false when it has that, or the budget grants no more.</summary>
    private bool TryGrow(BlockClassCache cache, bool evict)
    {
        int most = MaxCapacityOf(cache.BlockSize);
        BlockMagazine? loaded = cache.Loaded;
        if (loaded is null)
        {
            return TryOpen(cache, Math.Min(FirstCapacity, most), evict);
        }

        int capacity = (int)loaded.Words[BlockMagazine.Capacity];
        if (capacity >= most)
        {
            return false;
        }

        int grown = Math.Min(Math.Max(capacity, FirstCapacity / 2) * 2, most);
        long more = GrantFor(cache.BlockSize, grown) - loaded.Granted;
        if (!TryGrant(more, evict && capacity == 0))
        {
            return false;
        }

        if (grown > loaded.Room)
        {
            BlockMagazine larger = _depots[cache.Index].TakeEmpty(grown);
            loaded.MoveTo(larger);
            larger.Open(grown, loaded.Granted + more);
            loaded.Open(0, 0);
            cache.Load(larger);
            return true;
        }

        loaded.Open(grown, loaded.Granted + more);
        return true;
    }

    /// <summary>Loads an empty magazine with as much of <paramref name="capacity"/> as the budget grants; false when it grants none.</summary>
    private bool TryOpen(BlockClassCache cache, int capacity, bool evict, BlockMagazine? empty = null)
    {
        while (!TryGrant(GrantFor(cache.BlockSize, capacity), evict))
        {
            if (capacity == 1)
            {
                return false;
            }

            capacity /= 2;
        }

        BlockMagazine magazine = empty ?? _depots[cache.Index].TakeEmpty(capacity);
        magazine.Open(capacity, GrantFor(cache.BlockSize, capacity));
        cache.Load(magazine);
        return true;
    }

    /// <summary>The room of a magazine, in bytes.</summary>
    private static long GrantFor(nuint blockSize, int capacity) => capacity * (long)blockSize;

    /// <summary>Gives a magazine's blocks back to their slabs.</summary>
    private void Empty(int index, BlockMagazine magazine, TimeSpan since)
    {
        _slabs[index].Give(magazine.Stack, since);
        magazine.Fill(0);
    }

    /// <summary>Gives a magazine's blocks and its room back; the depot may keep it for others.</summary>
    private void GiveUp(int index, BlockMagazine? magazine)
    {
        if (magazine is not null)
        {
            Empty(index, magazine, TimeSpan.MinValue);
            Budget.Release(magazine.Granted);
            magazine.Open(0, 0);
            _depots[index].AddEmpty(magazine);
        }
    }
}
