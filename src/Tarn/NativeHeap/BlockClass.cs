namespace Tarn;

/// <summary>
/// One size class of one heap, as all its threads share it: the depot, the slabs, and what the budget grants for the class.
/// </summary>
/// <remarks>
/// <para><b>What the budget stands for.</b> With <c>kept</c> blocks at most in threads' caches and in the depot (threads are granted room
/// before they fill it), <c>out</c> blocks out of their slabs and S slabs: as long as <c>out &gt; kept</c>, some blocks are in use, and the
/// budget stands for the bytes of the blocks kept, and for a slab for each thread that keeps any. When <c>out ≤ kept</c>, there
/// may be none in use, and it stands for all S slabs whole. A hit changes none of these numbers. So with nothing in use the budget
/// stands for every byte that is committed.</para>
/// <para>Room is granted or refused. What follows from a block that goes back to its slab cannot be refused: the heap then makes room, of
/// this class first (<see cref="HeapCore"/>).</para>
/// <para>All members are safe to call from any thread. The lock is never held during a call to the system.</para>
/// </remarks>
internal sealed partial class BlockClass(int index, RegionSet regions, MemoryBudget budget, RefusedBlocks refused, VirtualMemory memory)
{
    private readonly Lock _lock = new();
    private readonly SlabClass _slabs = new(index, memory.OsPageSize);
    private readonly BlockDepot _depot = new(BlockSizes.SizeOf(index));

    /// <summary>
    /// The last of the slabs that have no block out any more, on the way to their regions; <see cref="Slab.Next"/> is the one before. A
    /// free makes such slabs, and must not need memory for that.
    /// </summary>
    private Slab? _emptied;

    private int _emptiedCount;

    /// <summary>Blocks that threads have room for.</summary>
    private long _room;

    /// <summary>Threads that have room.</summary>
    private int _rooms;

    /// <summary>Those of them that have room for no more than what could not be taken from them.</summary>
    private int _restRooms;

    private long _granted;
    private bool _hasUndiscarded;
    private TimeSpan _sweptAt = TimeSpan.MinValue;

    internal int Index => index;

    internal SlabClass Slabs => _slabs;

    internal nuint BlockSize => _slabs.BlockSize;

    /// <summary>Blocks in the depot.</summary>
    internal long DepotCount => _depot.BlockCount;

    /// <summary>
    /// Slabs may lie idle one day whose memory was not discarded. Read without the lock, after a call that may have changed it.
    /// </summary>
    internal bool HasUndiscarded => Volatile.Read(ref _hasUndiscarded);

    /// <summary>Grants a thread room for <paramref name="more"/> blocks, or nothing at all.</summary>
    internal bool TryGrantRoom(int more, bool isFirst)
    {
        lock (_lock)
        {
            _room += more;
            _rooms += isFirst ? 1 : 0;
            long change = Due() - _granted;
            if (change <= 0 || budget.TryReserve(change))
            {
                _granted += change;
                budget.Release(Math.Max(0, -change));
                return true;
            }

            _room -= more;
            _rooms -= isFirst ? 1 : 0;
            return false;
        }
    }

    /// <summary>A thread has less room.</summary>
    internal void ReleaseRoom(int less, bool isLast)
    {
        lock (_lock)
        {
            _room -= less;
            _rooms -= isLast ? 1 : 0;
            Settle();
        }
    }

    /// <summary>A thread keeps no more than what cannot be taken from it, or was seen again.</summary>
    internal void CountRest(bool isRest)
    {
        lock (_lock)
        {
            _restRooms += isRest ? 1 : -1;
        }
    }

    /// <summary>
    /// Takes up to <paramref name="most"/> blocks of the depot, in exchange for a magazine without; null when there are none.
    /// </summary>
    internal BlockMagazine? TakeFromDepot(BlockMagazine? empty, int most)
    {
        if (_depot.BlockCount == 0)
        {
            return null;
        }

        lock (_lock)
        {
            BlockMagazine? filled = _depot.Take(empty, most);
            Settle();
            return filled;
        }
    }

    /// <summary>
    /// Gives blocks to the depot, if it has room and the budget grants it, else to their slabs; returns a magazine without blocks.
    /// </summary>
    internal BlockMagazine GiveToDepot(BlockMagazine magazine, TimeSpan now)
    {
        lock (_lock)
        {
            long change = Due(magazine.FreeCount) - _granted;
            if (_depot.HasRoom && (change <= 0 || budget.TryReserve(change)))
            {
                _granted += Math.Max(0, change);
                BlockMagazine? empty = _depot.Put(magazine, now);
                Settle();
                if (empty is not null)
                {
                    return empty;
                }
            }

            GiveToSlabs(magazine.Stack, now);
            magazine.Fill(0);
            return magazine;
        }
    }

    /// <summary>A magazine without blocks and with room for <paramref name="room"/>; null when there is no memory for one.</summary>
    internal BlockMagazine? TakeEmpty(int room)
    {
        lock (_lock)
        {
            return _depot.TakeEmpty(room);
        }
    }

    /// <summary>Takes back a magazine of a thread's, whose blocks go to their slabs.</summary>
    internal void GiveUp(BlockMagazine magazine, TimeSpan since)
    {
        lock (_lock)
        {
            GiveToSlabs(magazine.Stack, since);
            magazine.Fill(0);
            magazine.Open(0);
            _depot.Keep(magazine);
        }
    }

    /// <summary>A block of the depot, or else of the slabs there are; 0 when there is none.</summary>
    internal nint TakeOne()
    {
        lock (_lock)
        {
            nint block = _depot.TakeOne();
            if (block == 0)
            {
                TakeFromSlabsLocked(new Span<nint>(ref block));
            }

            Settle();
            return block;
        }
    }

    /// <summary>Fills <paramref name="blocks"/>, from its end, from the slabs there are; how many it got.</summary>
    internal int TakeFromSlabs(Span<nint> blocks)
    {
        lock (_lock)
        {
            return TakeFromSlabsLocked(blocks);
        }
    }

    /// <summary>
    /// Adds a slab and takes from it, likewise; 0 when the system refuses memory, and nothing has changed. No lock may be held.
    /// </summary>
    internal int TakeFromNewSlab(Span<nint> blocks)
    {
        nuint alignment = Math.Max(BlockSizes.AlignmentOf(BlockSize), Region.GranuleSize);
        if (!regions.TryTake(_slabs.GranulesPerSlab, alignment, out Region? region, out int first))
        {
            return 0;
        }

        Slab slab;
        try
        {
            slab = new Slab(_slabs, region, first);
        }
        catch (OutOfMemoryException)
        {
            regions.Give(region, first, _slabs.GranulesPerSlab, TimeSpan.MinValue);
            throw;
        }

        lock (_lock)
        {
            region.SetSlab(first, _slabs.GranulesPerSlab, slab);
            _slabs.Add(slab);
            int taken = TakeFromSlabsLocked(blocks);
            if (slab.OutCount == 0)
            {
                // Others gave enough back meanwhile to fuller slabs.
                Remove(slab, TimeSpan.MinValue);
                Settle();
            }

            return taken;
        }
    }

    /// <summary>Takes blocks back. Those that are not of this class, or not out, are left alone and noted.</summary>
    /// <param name="blocks">Blocks of this class.</param>
    /// <param name="since">Since when the blocks are idle.</param>
    internal void GiveToSlabs(ReadOnlySpan<nint> blocks, TimeSpan since)
    {
        lock (_lock)
        {
            while (blocks.Length > 0)
            {
                int given = GiveToSlab(blocks, since);
                if (given == 0 && !regions.IsReleased)
                {
                    refused.Add(blocks[0], this);
                }

                blocks = blocks[Math.Max(given, 1)..];
            }

            Settle();
        }
    }

    /// <summary>A block that is out is not in use for the time being, or is again.</summary>
    internal void SetAside(nint block, bool isAside)
    {
        lock (_lock)
        {
            if (regions.FindSlab(block) is { } slab)
            {
                _slabs.SetAside(slab, isAside);
                Settle();
            }
        }
    }

    /// <summary>A block of this class begins at the address.</summary>
    internal bool Owns(nint block) =>
        regions.FindSlab(block) is { } slab && slab.Owner == _slabs && _slabs.IndexOf(block - slab.Start) >= 0;

    /// <summary>Something is kept that can be given up.</summary>
    internal bool HasMore => _depot.BlockCount > 0 || Volatile.Read(ref _rooms) > Volatile.Read(ref _restRooms) || HasUndiscarded;

    /// <summary>
    /// Checks the equations; for tests, while no other thread uses the heap. They do not hold for the moment in which another heap's tick
    /// has swept this one's ended threads and emptied slabs are on their way back.
    /// </summary>
    internal void Validate(IReadOnlyCollection<Slab> slabs, long room, int rooms, ref long granted)
    {
        lock (_lock)
        {
            Throw.UnlessHolds(_slabs.IsValid(slabs), "a class counts and lists its slabs' blocks");
            Throw.UnlessHolds(room == _room && rooms == _rooms, $"threads have room for {room} blocks, {_room} are counted");
            Throw.UnlessHolds(_depot.Filled.Sum(static magazine => magazine.Count) == _depot.BlockCount, "a depot counts its blocks");
            Throw.UnlessHolds(_granted == Due(), $"a class is granted {_granted} bytes and due {Due()}");
            Throw.UnlessHolds(_emptied is null, "emptied slabs go back");
            granted += _granted;
        }
    }

    /// <summary>The depot's magazines, for tests, while no other thread uses the heap.</summary>
    internal IReadOnlyList<BlockMagazine> DepotMagazines => _depot.Filled;

    /// <summary>A slab, in bytes.</summary>
    internal long SlabBytes => (long)_slabs.GranulesPerSlab << Region.GranuleShift;

    /// <summary>Gives the first block to its slab, and with it those that follow and lie there too; how many.</summary>
    private int GiveToSlab(ReadOnlySpan<nint> blocks, TimeSpan since)
    {
        if (regions.FindSlab(blocks[0]) is not { } slab || slab.Owner != _slabs)
        {
            return 0;
        }

        int given = _slabs.Give(slab, blocks);
        Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || given > 0);
        if (slab.OutCount == 0 && !slab.IsResting)
        {
            Remove(slab, since);
        }

        return given;
    }

    private int TakeFromSlabsLocked(Span<nint> blocks)
    {
        int taken = _slabs.Take(blocks);
        Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || taken > 0);
        Settle();
        return taken;
    }

    /// <summary>What the budget is to stand for, in bytes, with <paramref name="more"/> blocks more in the depot.</summary>
    private long Due(int more = 0)
    {
        long kept = _room + _depot.BlockCount + more;
        long slabs = _slabs.SlabCount;
        if (_slabs.OutCount > kept)
        {
            slabs = Math.Min(slabs, Math.Max(_rooms, (kept * (long)BlockSize + SlabBytes - 1) / SlabBytes));
        }

        return (slabs + _slabs.AsideSlabs) * SlabBytes;
    }

    /// <summary>Has the budget stand for what is due, whether or not there is room.</summary>
    private void Settle()
    {
        long change = Due() - _granted;
        if (change != 0)
        {
            _granted += change;
            budget.Release(-change);
        }
    }

    private void Remove(Slab slab, TimeSpan since)
    {
        _slabs.Remove(slab);
        slab.Region.SetSlab(slab.FirstGranule, _slabs.GranulesPerSlab, null);
        slab.EmptiedSince = since;
        slab.Next = _emptied;
        _emptied = slab;
        _emptiedCount++;
    }
}
