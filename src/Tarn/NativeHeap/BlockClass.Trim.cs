namespace Tarn.Native;

/// <content>Giving memory back: from the depot to the slabs, and from the slabs to the regions and the system.</content>
internal sealed partial class BlockClass
{
    /// <summary>
    /// Returns depot blocks that nobody needed for <paramref name="patience"/> to their slabs, or all when that is null.
    /// </summary>
    internal void EmptyDepot(TimeSpan now, TimeSpan? patience)
    {
        using (_lock.Hold())
        {
            RemoveFromDepot(_depot.CountIdle(now, patience));
        }
    }

    /// <summary>Returns depot blocks that nobody needed since the last call to their slabs.</summary>
    internal void EmptyUnneeded()
    {
        using (_lock.Hold())
        {
            RemoveFromDepot(_depot.CountUnneeded());
        }
    }

    /// <summary>Returns the granules of slabs without blocks out to their regions. The caller must hold no lock.</summary>
    internal void ReleaseEmptied()
    {
        while (Volatile.Read(ref _emptiedCount) > 0)
        {
            Slab? emptied;
            using (_lock.Hold())
            {
                emptied = _emptied;
                if (emptied is null)
                {
                    return;
                }

                _emptied = emptied.Next;
                _emptiedCount--;
            }

            regions.Give(emptied.Region, emptied.FirstGranule, _slabs.GranulesPerSlab, emptied.EmptiedSince);
        }
    }

    /// <summary>
    /// Discards the memory of OS pages that contain no block out, so that one block that stays out does not hold the memory of its
    /// neighbours. The caller must hold no lock.
    /// </summary>
    /// <param name="now">The current time.</param>
    /// <param name="interval">The least time between two sweeps; a call that comes sooner does nothing.</param>
    /// <param name="age">The age, in sweeps, at which a page is discarded; 0 discards at once.</param>
    internal void DiscardIdle(TimeSpan now, TimeSpan interval, int age)
    {
        if (!HasUndiscarded)
        {
            return;
        }

        // All the memory that this needs, before anything changes.
        List<(nint Address, nuint Size)> ranges = new(SlabPages.MostRanges(_slabs));
        List<Slab> slabs;
        using (_lock.Hold())
        {
            if (!_hasUndiscarded || (age > 0 && _sweptAt != TimeSpan.MinValue && now - _sweptAt < interval))
            {
                return;
            }

            slabs = _slabs.ListAvailable();
            _sweptAt = now;
            Volatile.Write(ref _hasUndiscarded, false);
        }

        if (!regions.TryEnter())
        {
            return;
        }

        try
        {
            foreach (Slab slab in slabs)
            {
                DiscardIdle(slab, now, age, ranges);
            }
        }
        finally
        {
            regions.Leave();
        }
    }

    private void DiscardIdle(Slab slab, TimeSpan now, int age, List<(nint Address, nuint Size)> ranges)
    {
        ranges.Clear();
        if (TryRest(slab, age, ranges))
        {
            foreach ((nint address, nuint size) in ranges)
            {
                memory.Discard(address, size);
            }

            Wake(slab, now);
        }
    }

    private void RemoveFromDepot(int oldest)
    {
        PutIntoSlabs(_depot.Blocks[..oldest], TimeSpan.MinValue);
        _depot.RemoveOldest(oldest);
        AdjustGrant();
    }

    /// <summary>
    /// Makes a slab's free blocks unreachable if it has memory to discard, and adds that memory to <paramref name="ranges"/>.
    /// </summary>
    private bool TryRest(Slab slab, int age, List<(nint Address, nuint Size)> ranges)
    {
        using (_lock.Hold())
        {
            if (slab.Group < 0 || slab.Pages.IsSettled)
            {
                return false;
            }

            slab.Pages.Sweep(slab, age, ranges);
            Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || !slab.Pages.IsSettled);
            if (ranges.Count == 0)
            {
                return false;
            }

            _slabs.Rest(slab);
            return true;
        }
    }

    private void Wake(Slab slab, TimeSpan now)
    {
        using (_lock.Hold())
        {
            _slabs.Wake(slab);
            if (slab.OutCount == 0)
            {
                Remove(slab, now);
                AdjustGrant();
            }
        }
    }
}
