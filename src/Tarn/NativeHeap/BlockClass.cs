namespace Tarn.Native;

/// <summary>The part of a heap's size class that all threads share: the depot, the slabs, and the budget's grant for the class.</summary>
/// <remarks>
/// <para><b>What the budget covers.</b> Let <c>kept</c> be the most blocks that threads' caches and the depot can hold (threads are granted
/// room before they fill it), <c>out</c> the blocks out of their slabs, and S the number of slabs. While <c>out &gt; kept</c>, some blocks
/// are in use; the budget then covers the bytes of the kept blocks, and a slab for each thread that keeps any. When <c>out ≤ kept</c>,
/// possibly none is in use; the budget then covers all S slabs whole. A hit changes none of these numbers. So when nothing is in use, the
/// budget covers every committed byte.</para>
/// <para>A request for room is granted or refused. The cost of a block that returns to its slab cannot be refused: the heap then makes
/// room, first in this class (<see cref="HeapCore"/>).</para>
/// <para>All members are safe to call from any thread. The lock is never held during a call to the system.</para>
/// </remarks>
internal sealed partial class BlockClass(
    int index, RegionSet regions, MemoryBudget budget, ThreadRoom threads, RefusedBlocks refused, VirtualMemory memory)
{
    /// <summary>The depot holds as many blocks as this many threads may keep.</summary>
    private const int DepotRooms = 32;

    private readonly SlabClass _slabs = new(index, memory.OsPageSize);
    private BlockDepot _depot = new(DepotRooms * BlockRoom.Of(BlockSizes.SizeOf(index)).BothWays);
    private ShortLock _lock;

    /// <summary>
    /// The last of the slabs without blocks in use that are about to return to their regions; <see cref="Slab.Next"/> links to the one
    /// before. A free adds such slabs, and must not need memory for that.
    /// </summary>
    private Slab? _emptied;

    private int _emptiedCount;

    /// <summary>Blocks that threads have room for.</summary>
    private long _room;

    /// <summary>Threads that have room.</summary>
    private int _rooms;

    private long _granted;

    /// <summary>Bytes of that which the budget had refused, since <see cref="TakenUnasked"/>.</summary>
    private long _taken;
    private bool _hasUndiscarded;
    private TimeSpan _sweptAt = TimeSpan.MinValue;

    internal int Index => index;

    internal SlabClass Slabs => _slabs;

    internal nuint BlockSize => _slabs.BlockSize;

    /// <summary>How many blocks of the class a thread may keep.</summary>
    internal ClassRoom Room { get; } = BlockRoom.Of(BlockSizes.SizeOf(index));

    /// <summary>Blocks in the depot.</summary>
    internal int DepotCount => _depot.Count;

    /// <summary>
    /// Whether some slab has memory that may become idle and is not discarded yet. Read without the lock, after a call that may have
    /// changed it.
    /// </summary>
    internal bool HasUndiscarded => Volatile.Read(ref _hasUndiscarded);

    /// <summary>
    /// Grants a thread that has room for <paramref name="now"/> blocks room for <paramref name="wanted"/>, all or nothing.
    /// </summary>
    /// <param name="now">The room it has.</param>
    /// <param name="wanted">The room it wants, which is more.</param>
    internal bool TryGrantRoom(int now, int wanted)
    {
        long more = (wanted - now) * (long)BlockSize;
        if (!threads.TryReserve(more, isGuaranteed: wanted <= Room.Guaranteed))
        {
            return false;
        }

        using (_lock.Hold())
        {
            CountRoom(now, wanted);
            long change = Due() - _granted;
            if (change <= 0 || budget.TryReserve(change))
            {
                _granted += change;
                budget.Release(Math.Max(0, -change));
                return true;
            }

            CountRoom(wanted, now);
        }

        threads.Release(more);
        return false;
    }

    /// <summary>Notes that a thread that had room for <paramref name="before"/> blocks has room for <paramref name="now"/>.</summary>
    internal void ReleaseRoom(int before, int now)
    {
        threads.Release((before - now) * (long)BlockSize);
        using (_lock.Hold())
        {
            CountRoom(before, now);
            AdjustGrant();
        }
    }

    /// <summary>
    /// Fills <paramref name="blocks"/> from its end with blocks of the depot, or of existing slabs if the depot has none. Returns the
    /// number of blocks taken.
    /// </summary>
    internal int Take(Span<nint> blocks)
    {
        using (_lock.Hold())
        {
            int taken = _depot.Take(blocks);
            if (taken == 0)
            {
                taken = _slabs.Take(blocks);
                Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || taken > 0);
            }

            AdjustGrant();
            return taken;
        }
    }

    /// <summary>Moves blocks to the depot if it has room and the budget grants it, otherwise to their slabs.</summary>
    /// <remarks>Leaves a single block alone, and notes it, if it is the depot's next one: it is freed twice.</remarks>
    internal void GiveToDepot(ReadOnlySpan<nint> blocks, TimeSpan now)
    {
        using (_lock.Hold())
        {
            if (blocks.Length == 1 && _depot.IsNext(blocks[0]))
            {
                refused.Add(blocks[0], this);
                return;
            }

            long change = Due(blocks.Length) - _granted;
            bool isGranted = change <= 0 || budget.TryReserve(change);
            _granted += isGranted ? Math.Max(0, change) : 0;
            if (!isGranted || !_depot.TryPut(blocks))
            {
                PutIntoSlabs(blocks, now);
            }

            AdjustGrant();
        }
    }

    /// <summary>
    /// Adds a slab and takes blocks from slabs in the same way. Returns 0 and changes nothing when the system refuses memory. The caller
    /// must hold no lock.
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

        using (_lock.Hold())
        {
            region.SetSlab(first, _slabs.GranulesPerSlab, slab);
            _slabs.Add(slab);
            int taken = _slabs.Take(blocks);
            Volatile.Write(ref _hasUndiscarded, true);
            if (slab.OutCount == 0)
            {
                // Other threads have returned enough blocks to fuller slabs in the meantime.
                Remove(slab, TimeSpan.MinValue);
            }

            AdjustGrant();
            return taken;
        }
    }

    /// <summary>Takes blocks back. Leaves alone and notes those that do not belong to this class or are not out.</summary>
    /// <param name="blocks">Blocks of this class.</param>
    /// <param name="since">The time since when the blocks have been idle.</param>
    internal void GiveToSlabs(ReadOnlySpan<nint> blocks, TimeSpan since)
    {
        using (_lock.Hold())
        {
            PutIntoSlabs(blocks, since);
            AdjustGrant();
        }
    }

    /// <summary>Notes that a block that is out is temporarily not in use, or is in use again.</summary>
    internal void SetQuarantined(nint block, bool isQuarantined)
    {
        using (_lock.Hold())
        {
            if (regions.FindSlab(block) is { } slab)
            {
                _slabs.SetQuarantined(slab, isQuarantined);
                AdjustGrant();
            }
        }
    }

    /// <summary>Whether a block of this class begins at the address.</summary>
    internal bool Owns(nint block) =>
        regions.FindSlab(block) is { } slab && slab.Owner == _slabs && _slabs.IndexOf(block - slab.Start) >= 0;

    /// <summary>Whether the class keeps something that it can give up.</summary>
    internal bool HasMore => _depot.Count > 0 || HasUndiscarded;

    /// <summary>Checks the equations; for tests, while no other thread uses the heap and no emptied slabs are on their way back.</summary>
    internal void Validate(IReadOnlyCollection<Slab> slabs, long room, int rooms, ref long granted)
    {
        using (_lock.Hold())
        {
            Throw.UnlessHolds(_slabs.IsValid(slabs), "a class counts and lists its slabs' blocks");
            Throw.UnlessHolds(room == _room && rooms == _rooms, $"threads have room for {room} blocks, {_room} are counted");
            Throw.UnlessHolds(_depot.Blocks.Length == _depot.Count, "a depot counts its blocks");
            Throw.UnlessHolds(_granted == Due(), $"a class is granted {_granted} bytes and due {Due()}");
            Throw.UnlessHolds(_emptied is null, "emptied slabs go back");
            granted += _granted;
        }
    }

    /// <summary>The depot's blocks, for tests, while no other thread uses the heap.</summary>
    internal ReadOnlySpan<nint> DepotBlocks => _depot.Blocks;

    /// <summary>The size of a slab, in bytes.</summary>
    internal long SlabBytes => (long)_slabs.GranulesPerSlab << Region.GranuleShift;

    /// <inheritdoc cref="GiveToSlabs"/>
    /// <remarks>Under the lock. The caller adjusts the grant.</remarks>
    private void PutIntoSlabs(ReadOnlySpan<nint> blocks, TimeSpan since)
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
    }

    /// <summary>
    /// Returns the first block to its slab, together with the blocks after it that lie in the same slab. Returns their number.
    /// </summary>
    private int GiveToSlab(ReadOnlySpan<nint> blocks, TimeSpan since)
    {
        if (regions.FindSlab(blocks[0]) is not { } slab || slab.Owner != _slabs)
        {
            return 0;
        }

        int given = _slabs.Give(slab, blocks, wereIdle: since == TimeSpan.MinValue);
        Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || given > 0);
        if (slab.OutCount == 0 && !slab.IsResting)
        {
            Remove(slab, since);
        }

        return given;
    }

    private void CountRoom(int before, int now)
    {
        _room += now - before;
        _rooms += (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    }

    /// <summary>The bytes that the budget must cover with <paramref name="more"/> additional blocks in the depot.</summary>
    private long Due(int more = 0)
    {
        long kept = _room + _depot.Count + more;
        long slabs = _slabs.SlabCount;
        if (_slabs.OutCount > kept)
        {
            slabs = Math.Min(slabs, Math.Max(_rooms, (kept * (long)BlockSize + SlabBytes - 1) / SlabBytes));
        }

        return (slabs + _slabs.QuarantinedSlabs) * SlabBytes;
    }

    /// <summary>Sets the budget's grant to the due amount. What the budget refuses is taken without asking.</summary>
    private void AdjustGrant()
    {
        long change = Due() - _granted;
        _granted += change;
        if (change < 0 || (change > 0 && !budget.TryReserve(change)))
        {
            budget.Release(-change);
            _taken += Math.Max(0, change);
        }
    }

    /// <summary>Returns the bytes that were taken although the budget refused them, since the last call.</summary>
    internal long TakenUnasked()
    {
        // Almost always 0. An exchange would write to the class's line in each call, and beside the lock it would count bytes twice.
        if (Volatile.Read(ref _taken) == 0)
        {
            return 0;
        }

        using (_lock.Hold())
        {
            long taken = _taken;
            _taken = 0;
            return taken;
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
