namespace Tarn;

/// <summary>The slabs of one size class of one heap: the source that magazines are filled from and emptied into.</summary>
/// <remarks>
/// Blocks are handed out from the current slab, the only one with blocks that were never out, until it has none left; then from slabs
/// with blocks that came back; then from a new slab. A slab whose blocks have all come back goes back to its region at once, where any
/// class can have its memory. All members are safe to call from any thread.
/// </remarks>
internal sealed class SlabClass
{
    /// <summary>Slabs with at most one block in so many out are sparse.</summary>
    private const int SparseShare = 8;

    private readonly Lock _lock = new();
    private readonly RegionSet _regions;
    private readonly RefusedBlocks _refused;
    private readonly ulong _reciprocal;
    private Slab? _current;
    private Slab? _listed;
    private bool _hasUndiscarded;

    internal SlabClass(int index, RegionSet regions, RefusedBlocks refused)
    {
        _regions = regions;
        _refused = refused;
        Index = index;
        BlockSize = BlockSizes.SizeOf(index);
        GranulesPerSlab = GranulesFor(BlockSize);
        BlocksPerSlab = (int)((nuint)GranulesPerSlab * Region.GranuleSize / BlockSize);
        _reciprocal = (uint.MaxValue / BlockSize) + 1;
    }

    internal int Index { get; }

    internal nuint BlockSize { get; }

    internal int BlocksPerSlab { get; }

    internal int GranulesPerSlab { get; }

    /// <summary>Blocks that are in use or in magazines.</summary>
    internal long OutCount { get; private set; }

    /// <summary>Blocks that were handed out for the first time, so far.</summary>
    internal long CarvedCount { get; private set; }

    /// <summary>Blocks that came back to slabs that have others out.</summary>
    internal long FreeCount { get; private set; }

    /// <summary>
    /// More than <paramref name="limit"/> bytes lie free beside few blocks that are out: worth having those back that nobody uses.
    /// A guess, made without the lock.
    /// </summary>
    internal bool IsSparse(long limit) =>
        FreeCount * (long)BlockSize > limit && OutCount * SparseShare < FreeCount + OutCount;

    /// <summary>
    /// Slabs may lie idle one day whose memory was not discarded. Read without the lock, after a call that may have changed it.
    /// </summary>
    internal bool HasUndiscarded => Volatile.Read(ref _hasUndiscarded);

    /// <summary>Fills <paramref name="blocks"/>, from its end; how many it got: fewer when the system refuses memory.</summary>
    internal int Take(Span<nint> blocks, TimeSpan now)
    {
        lock (_lock)
        {
            int missing = blocks.Length;
            while (missing > 0)
            {
                if (_current is { } current && current.Carved < BlocksPerSlab)
                {
                    int carved = current.Carve(blocks[..missing]);
                    Touch(current, now);
                    CarvedCount += carved;
                    missing -= carved;
                }
                else if (_listed is { } slab)
                {
                    int taken = slab.TakeFree(blocks[..missing]);
                    Touch(slab, now);
                    FreeCount -= taken;
                    missing -= taken;
                    if (slab.FreeCount == 0)
                    {
                        Unlist(slab);
                    }
                }
                else if (!TryAddSlab())
                {
                    break;
                }
            }

            OutCount += blocks.Length - missing;
            return blocks.Length - missing;
        }
    }

    /// <summary>Takes blocks back. Those that are not of this class, or not out, are left alone and noted.</summary>
    /// <param name="blocks">Blocks of this class.</param>
    /// <param name="since">Since when the blocks are idle.</param>
    internal void Give(ReadOnlySpan<nint> blocks, TimeSpan since)
    {
        lock (_lock)
        {
            foreach (nint block in blocks)
            {
                if (_regions.FindSlab(block) is { } slab && slab.Owner == this && slab.TryGive(block))
                {
                    OutCount--;
                    FreeCount++;
                    Touch(slab, since);
                    Sort(slab, since);
                }
                else if (!_regions.IsReleased)
                {
                    _refused.Add(block, this);
                }
            }
        }
    }

    /// <summary>
    /// Discards the memory of free blocks in slabs that nobody took from or gave to since <paramref name="before"/> or longer: a block that
    /// stays out must not hold the memory of all those around it.
    /// </summary>
    internal void DiscardIdle(TimeSpan before, VirtualMemory memory)
    {
        foreach (Slab slab in FindIdle(before))
        {
            // Threads may wait for this lock: one slab at a time. A slab that became empty meanwhile is the regions'.
            lock (_lock)
            {
                if (!slab.IsEmpty && IsIdle(slab, before))
                {
                    slab.Discard(memory);
                }
            }
        }
    }

    /// <summary>A block of this class begins at the address.</summary>
    internal bool Owns(nint block) => _regions.FindSlab(block) is { } slab && slab.Owner == this && IndexOf(block - slab.Start) >= 0;

    /// <summary>The index of the block that begins at <paramref name="offset"/> in a slab; -1 when none does.</summary>
    internal int IndexOf(nint offset)
    {
        // Exact for every offset in a slab, which a test goes through; a division would take longer.
        int index = (int)(((ulong)offset * _reciprocal) >> 32);
        return (nuint)index * BlockSize == (nuint)offset ? index : -1;
    }

    /// <summary>The listed slabs are those with blocks that came back, and the counts are theirs. For tests.</summary>
    internal bool IsValid(IReadOnlyCollection<Slab> slabs)
    {
        lock (_lock)
        {
            long free = 0;
            long used = 0;
            bool valid = true;
            foreach (Slab slab in slabs)
            {
                free += slab.FreeCount;
                used += slab.Carved - slab.FreeCount;
                valid &= slab.IsValid();
                valid &= slab == _current || slab.Carved == BlocksPerSlab;
            }

            int listed = 0;
            for (Slab? slab = _listed; slab is not null; slab = slab.Next)
            {
                listed++;
                valid &= slab.FreeCount > 0 && (slab.Next is null || slab.Next.Before == slab);
            }

            return valid && free == FreeCount && used == OutCount && listed == slabs.Count(static slab => slab.FreeCount > 0);
        }
    }

    /// <summary>The fewest granules for many small blocks, some middling and four large ones, with at most a fiftieth left over.</summary>
    private static int GranulesFor(nuint blockSize)
    {
        int wanted = blockSize switch
        {
            <= 16 << 10 => 32,
            <= 128 << 10 => 8,
            _ => 4,
        };
        nuint size = Region.GranuleSize;
        while (size / blockSize < (nuint)wanted || size % blockSize * 50 > size)
        {
            size += Region.GranuleSize;
        }

        return (int)(size / Region.GranuleSize);
    }

    private static bool IsIdle(Slab slab, TimeSpan before) => !slab.IsDiscarded && slab.UsedAt <= before;

    /// <summary>The slabs to discard the free memory of; and whether others may be, later.</summary>
    private List<Slab> FindIdle(TimeSpan before)
    {
        List<Slab> idle = [];
        lock (_lock)
        {
            bool hasOthers = false;
            if (_current is { IsListed: false } current)
            {
                Look(current);
            }

            for (Slab? slab = _listed; slab is not null; slab = slab.Next)
            {
                Look(slab);
            }

            Volatile.Write(ref _hasUndiscarded, hasOthers);

            void Look(Slab slab)
            {
                if (IsIdle(slab, before))
                {
                    idle.Add(slab);
                }
                else
                {
                    hasOthers |= !slab.IsDiscarded;
                }
            }
        }

        return idle;
    }

    private void Touch(Slab slab, TimeSpan now)
    {
        slab.Touch(now);
        Volatile.Write(ref _hasUndiscarded, true);
    }

    private bool TryAddSlab()
    {
        if (!_regions.TryTake(GranulesPerSlab, Math.Max(BlockSizes.AlignmentOf(BlockSize), Region.GranuleSize), out Region? region, out int first))
        {
            return false;
        }

        Slab slab = new(this, region, first);
        region.SetSlab(first, GranulesPerSlab, slab);
        _current = slab;
        return true;
    }

    /// <summary>Puts a slab that a block came back to where it belongs now.</summary>
    private void Sort(Slab slab, TimeSpan since)
    {
        if (slab.IsEmpty)
        {
            Remove(slab, since);
        }
        else if (!slab.IsListed)
        {
            slab.IsListed = true;
            slab.Next = _listed;
            slab.Before = null;
            if (_listed is not null)
            {
                _listed.Before = slab;
            }

            _listed = slab;
        }
    }

    private void Remove(Slab slab, TimeSpan since)
    {
        FreeCount -= slab.FreeCount;
        Unlist(slab);
        if (_current == slab)
        {
            _current = null;
        }

        slab.Region.SetSlab(slab.FirstGranule, GranulesPerSlab, null);
        _regions.Give(slab.Region, slab.FirstGranule, GranulesPerSlab, since);
    }

    private void Unlist(Slab slab)
    {
        if (!slab.IsListed)
        {
            return;
        }

        slab.IsListed = false;
        if (slab.Before is null)
        {
            _listed = slab.Next;
        }
        else
        {
            slab.Before.Next = slab.Next;
        }

        if (slab.Next is not null)
        {
            slab.Next.Before = slab.Before;
        }

        slab.Next = null;
        slab.Before = null;
    }
}
