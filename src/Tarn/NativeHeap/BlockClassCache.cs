namespace Tarn;

/// <summary>One size class of one heap in one thread's cache: the state behind the entry. Guarded by the section's lock.</summary>
/// <remarks>
/// <para>A thread has two magazines, so one that alternates around the edge of a magazine does not visit the depot each time (Bonwick and
/// Adams, 2001). The fast path reaches only the loaded magazine, and only while it is not parked.</para>
/// <para>The two magazines together may hold as many blocks as <see cref="ClassRoom"/> was granted. A thread that frees more hands a
/// magazine over to the depot. A thread that allocates more takes one over, or as many blocks from the slabs.</para>
/// <para>A miss: <see cref="TryTake"/>. A free without room: <see cref="TryGive"/>. Neither calls the system.</para>
/// </remarks>
internal sealed unsafe partial class BlockClassCache(HeapSection section, BlockClass shared)
{
    /// <summary>
    /// A thread that frees a few small blocks of other threads, and none of its own, returns them to their slabs. If it handed them out
    /// again, it and the owners of their neighbours would write to the same cache lines. From this number of frees on, speed matters more.
    /// </summary>
    private const int FreesBeforeMagazine = 8;

    /// <summary>One block that was left, and one that a call in progress may push.</summary>
    private const int RestRoom = 2;

    private readonly ClassRoom _room = new(section, shared);

    /// <summary>When the previous magazine was last used.</summary>
    private LastUse _previousUse;

    /// <summary>Blocks taken from the depot and slabs, less those given to them.</summary>
    private long _inflow;

    private int _freesWithoutMagazine;

    /// <summary>A magazine without blocks and room, left over when two were merged.</summary>
    private BlockMagazine? _spare;

    internal BlockClass Shared => shared;

    /// <summary>The section's lock, which guards this.</summary>
    internal Lock Sync => section.Sync;

    /// <summary>
    /// Whether a grant of room was refused since the last call. If so, searching for room that other threads do not need is worthwhile.
    /// </summary>
    internal bool TakeWish()
    {
        bool wants = _room.WantsMore;
        _room.WantsMore = false;
        return wants;
    }

    internal BlockMagazine? Loaded { get; private set; }

    /// <summary>The second magazine, empty or full, as the owner left it.</summary>
    internal BlockMagazine? Previous { get; private set; }

    /// <summary>Whether the loaded magazine is out of the fast path's reach. Its owner may be in the middle of one last call.</summary>
    internal bool IsParked { get; private set; }

    /// <summary>Whether the magazine is parked and emptied as far as possible: see <see cref="TakeParked"/>.</summary>
    internal bool IsRest { get; private set; }

    internal TimeSpan ParkedAt { get; private set; }

    /// <summary>The granted room of the magazines, in blocks.</summary>
    internal int Room => _room.Granted;

    /// <summary>Blocks handed out without a magazine, or through one that is no longer loaded.</summary>
    private long _rented;

    internal long RentedSoFar => _rented + (Loaded?.Pops ?? 0);

    internal int FreeCount => (Loaded?.FreeCount ?? 0) + (Previous?.FreeCount ?? 0);

    /// <summary>The number of blocks worth taking at a time.</summary>
    internal int Batch => Math.Max(1, Capacity);

    /// <summary>Blocks that the loaded magazine may hold; 0 without one.</summary>
    private int Capacity => Loaded is { } loaded ? CapacityOf(loaded) : 0;

    /// <summary>Blocks handed out less blocks taken back, from some point on.</summary>
    private long Net => _inflow - FreeCount;

    /// <summary>Hands out a block from any tier that has one; 0 when a new slab is needed.</summary>
    internal nint TryTake(long cap)
    {
        Unpark();
        nint block = Loaded?.TryPop() ?? 0;
        if (block == 0 && TryRefill(cap))
        {
            block = Loaded!.TryPop();
        }

        // A trim or a handover may leave a magazine without room. It can take nothing over, so it is treated as missing.
        if (block == 0 && Capacity == 0 && (block = shared.TakeOne()) != 0)
        {
            CountDirect();
        }

        return block;
    }

    /// <summary>Takes the blocks of a new slab and counts the last one as handed out.</summary>
    internal void Accept(ReadOnlySpan<nint> blocks)
    {
        CountDirect();
        ReadOnlySpan<nint> others = blocks[..^1];
        Unpark();
        if (others.Length > 0 && Loaded is { Count: 0 } loaded && others.Length <= CapacityOf(loaded))
        {
            loaded.Put(others);
            _inflow += others.Length;
            _room.OnTaken(others.Length);
        }
        else
        {
            shared.GiveToSlabs(others, TimeSpan.MinValue);
        }
    }

    /// <summary>Takes a block back; false when the block is not worth keeping or there is no room, and it must go to its slab.</summary>
    internal bool TryGive(nint block, long cap, TimeSpan now)
    {
        Unpark();
        if (Loaded?.TryPush(block) == true || (TryMakeRoom(cap, now) && Loaded!.TryPush(block)))
        {
            return true;
        }

        _inflow--;
        return false;
    }

    private static int CapacityOf(BlockMagazine magazine) => magazine.Limit;

    /// <summary>Fills the empty loaded magazine, or loads one with blocks; false when there are no blocks or there is no room.</summary>
    private bool TryRefill(long cap)
    {
        if (Previous is { FreeCount: > 0 } previous)
        {
            BlockMagazine? drained = Loaded;
            if (drained is not null && TryMerge(drained, previous))
            {
                return true;
            }

            Previous = drained;
            _previousUse.Note();
            if (drained is not null && previous.Count >= CapacityOf(drained) / 2)
            {
                previous.MoveQuarterTo(drained, fromTop: false);
            }

            Load(previous);
            return true;
        }

        _room.OnMiss(Net + 1, RentedSoFar + 1, Capacity, cap);
        TryGrow(cap);
        if (Capacity == 0 || !(TryLoadFromDepot() || TryFillFromSlabs()))
        {
            return false;
        }

        _room.OnTaken(Loaded!.Count - 1);
        return true;
    }

    /// <summary>
    /// Merges the two magazines if one can hold all the granted room. A thread that alternates around the edge between them, without
    /// needing the depot, then has no edge to cross.
    /// </summary>
    private bool TryMerge(BlockMagazine drained, BlockMagazine previous)
    {
        int capacity = CapacityOf(drained) + CapacityOf(previous);
        if (capacity > BlockRoom.MaxCapacityOf(shared.BlockSize))
        {
            return false;
        }

        // Without memory for a large enough magazine, the two stay unchanged.
        BlockMagazine? merged = capacity <= previous.Room ? previous : capacity <= drained.Room ? drained : shared.TakeEmpty(capacity);
        if (merged is null)
        {
            return false;
        }

        Load(null);
        Previous = null;
        _spare = drained;
        if (merged != previous)
        {
            previous.MoveTo(merged);
            _spare = previous;
        }

        _spare.Open(0);
        merged.Open(capacity);
        Load(merged);
        return true;
    }

    /// <summary>
    /// Undoes <see cref="TryMerge"/>: takes half of the room of the full loaded magazine, and its topmost blocks. Afterwards no magazine is
    /// loaded. Null, and nothing has changed, when there is no memory for another magazine.
    /// </summary>
    private BlockMagazine? SplitTop(BlockMagazine full)
    {
        int half = CapacityOf(full) / 2;
        if ((_spare?.Room >= half ? _spare : shared.TakeEmpty(half)) is not { } top)
        {
            return null;
        }

        _spare = null;
        Load(null);
        full.MoveTop(half, top);
        full.Open(CapacityOf(full) - half);
        top.Open(half);
        return top;
    }

    /// <summary>Takes over as many blocks as the empty loaded magazine may hold; false when the depot has none.</summary>
    private bool TryLoadFromDepot()
    {
        if (shared.DepotCount == 0)
        {
            return false;
        }

        // Once the magazine is in the depot, this thread must not write to it.
        BlockMagazine empty = Loaded!;
        int capacity = CapacityOf(empty);
        Load(null);
        empty.Open(0);
        BlockMagazine? filled = shared.TakeFromDepot(empty, capacity);
        BlockMagazine loaded = filled ?? empty;
        _inflow += loaded.Count;
        int granted = Math.Min(capacity, loaded.Room);
        loaded.Open(granted);
        Load(loaded);
        _room.ShrinkTo(Room - capacity + granted);
        return filled is not null;
    }

    private bool TryFillFromSlabs()
    {
        BlockMagazine loaded = Loaded!;
        Span<nint> items = loaded.Free(CapacityOf(loaded));
        int taken = shared.TakeFromSlabs(items);
        items[^taken..].CopyTo(items);
        loaded.Fill(taken);
        _inflow += taken;
        return taken > 0;
    }

    /// <summary>Makes room for one more block in the loaded magazine, or loads one that has room; false when neither is possible.</summary>
    private bool TryMakeRoom(long cap, TimeSpan now)
    {
        if (Loaded is null && shared.BlockSize < SlabClass.LineSize && _freesWithoutMagazine++ < FreesBeforeMagazine)
        {
            return false;
        }

        _room.OnOverflow(Net, RentedSoFar, cap);
        if (TryGrow(cap) || Loaded is null)
        {
            return Loaded is not null;
        }

        BlockMagazine full = Loaded;
        BlockMagazine? empty = Previous is { FreeCount: 0 } ? Previous
            : Previous is null ? TryOpenSecond(cap)
            : HandOver(Previous, cap, now);
        if (empty is null)
        {
            if (CapacityOf(full) < 2 || SplitTop(full) is not { } top)
            {
                return false;
            }

            empty = HandOver(full, cap, now);
            full = top;
        }

        bool quarter = empty == Previous;
        Previous = full;
        _previousUse.Note();
        Load(empty);
        if (quarter)
        {
            full.MoveQuarterTo(empty, fromTop: true);
        }

        return true;
    }

    /// <summary>Exchanges a full magazine (the previous one, if it exists) for an empty one of the depot.</summary>
    private BlockMagazine HandOver(BlockMagazine full, long cap, TimeSpan now)
    {
        int capacity = CapacityOf(full);
        Previous = null;
        _inflow -= full.FreeCount;
        full.Open(0);
        BlockMagazine empty = shared.GiveToDepot(full, now);
        int wanted = Math.Min(Math.Min(_room.OfMagazine(cap), Math.Max(1, _room.Allowed(cap) - Room + capacity)), empty.Room);
        if (wanted > capacity && !_room.TryGrant(wanted - capacity))
        {
            wanted = capacity;
        }

        _room.ShrinkTo(Room - Math.Max(0, capacity - wanted));
        empty.Open(wanted);
        _room.OnHandedOver(wanted);
        return empty;
    }

    /// <summary>A second magazine, without blocks; null when the thread may not have one, or there is no memory for it.</summary>
    private BlockMagazine? TryOpenSecond(long cap)
    {
        int allowed = _room.Allowed(cap);
        int capacity = Math.Min(_room.OfMagazine(cap), allowed - Room);
        if (capacity <= 0 || !_room.TryGrant(capacity))
        {
            return null;
        }

        if (shared.TakeEmpty(capacity) is not { } empty)
        {
            _room.ShrinkTo(Room - capacity);
            return null;
        }

        empty.Open(capacity);
        return empty;
    }

    /// <summary>
    /// Gives the loaded magazine, or a new one, all the room it may have. Returns false if it has that room already, no more is granted, or
    /// there is no memory for it.
    /// </summary>
    private bool TryGrow(long cap)
    {
        int capacity = Capacity;
        int wanted = Math.Min(_room.OfMagazine(cap), _room.Allowed(cap) - Room + capacity);
        while (wanted > capacity && !_room.TryGrant(wanted - capacity))
        {
            wanted = Math.Max(capacity, wanted / 2);
        }

        if (wanted <= capacity)
        {
            return false;
        }

        if (Loaded is { } loaded && wanted <= loaded.Room)
        {
            loaded.Open(wanted);
            return true;
        }

        if (shared.TakeEmpty(wanted) is not { } larger)
        {
            _room.ShrinkTo(Room - (wanted - capacity));
            return false;
        }

        Loaded?.MoveTo(larger);
        larger.Open(wanted);
        Loaded?.Open(0);
        Load(larger);
        return true;
    }

    /// <summary>Counts a block that went to its user past the magazines.</summary>
    private void CountDirect()
    {
        _rented++;
        _inflow++;
    }

    /// <summary>Replaces the loaded magazine. For the owner.</summary>
    private void Load(BlockMagazine? magazine)
    {
        _rented += Loaded?.HarvestPops() ?? 0;
        Loaded = magazine;
        IsParked = false;
        section.Publish(shared.Index, magazine);
    }
}
