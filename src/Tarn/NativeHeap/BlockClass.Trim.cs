namespace Tarn;

/// <content>Giving memory back: of the depot to the slabs, of the slabs to the regions and to the system.</content>
internal sealed partial class BlockClass
{
    /// <summary>Gives magazines of the depot up that lie there since before <paramref name="before"/>.</summary>
    internal void EmptyDepot(TimeSpan before)
    {
        lock (_lock)
        {
            while (_depot.TakeIdle(before) is { } magazine)
            {
                Empty(magazine);
            }

            Settle();
        }
    }

    /// <summary>Gives magazines of the depot up that nobody needed since the last call.</summary>
    internal void EmptyUnneeded()
    {
        lock (_lock)
        {
            while (_depot.TakeUnneeded() is { } magazine)
            {
                Empty(magazine);
            }

            Settle();
        }
    }

    /// <summary>Gives granules back of slabs that have no block out any more. No lock may be held.</summary>
    internal void ReleaseEmptied()
    {
        while (Volatile.Read(ref _emptiedCount) > 0)
        {
            Slab? emptied;
            lock (_lock)
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
    /// Discards the memory of OS pages that no block out lies in: a block that stays out must not hold the memory of all those around it.
    /// No lock may be held.
    /// </summary>
    /// <param name="now">The time.</param>
    /// <param name="interval">What a page's age is counted in: sweeps that follow sooner do nothing.</param>
    /// <param name="age">The age at which a page is discarded, in sweeps; 0 discards at once.</param>
    internal void DiscardIdle(TimeSpan now, TimeSpan interval, int age)
    {
        List<Slab> slabs;
        lock (_lock)
        {
            if (!_hasUndiscarded || (age > 0 && _sweptAt != TimeSpan.MinValue && now - _sweptAt < interval))
            {
                return;
            }

            _sweptAt = now;
            Volatile.Write(ref _hasUndiscarded, false);
            slabs = _slabs.ListAvailable();
        }

        List<(nint Address, nuint Size)> ranges = [];
        foreach (Slab slab in slabs)
        {
            ranges.Clear();
            if (!TryRest(slab, age, ranges))
            {
                continue;
            }

            foreach ((nint address, nuint size) in ranges)
            {
                memory.Discard(address, size);
            }

            Wake(slab, now);
        }
    }

    private void Empty(BlockMagazine magazine)
    {
        GiveToSlabs(magazine.Stack, TimeSpan.MinValue);
        magazine.Fill(0);
        _depot.Keep(magazine);
    }

    /// <summary>Takes the free blocks of a slab out of reach if it has memory to discard; <paramref name="ranges"/> receives it.</summary>
    private bool TryRest(Slab slab, int age, List<(nint Address, nuint Size)> ranges)
    {
        lock (_lock)
        {
            if (slab.Group < 0 || slab.Pages.IsSettled)
            {
                return false;
            }

            slab.Pages.Sweep(slab, age, ranges);
            Volatile.Write(ref _hasUndiscarded, _hasUndiscarded || !slab.Pages.IsSettled);
            if (ranges.Count == 0 || !regions.TryEnter())
            {
                return false;
            }

            _slabs.Rest(slab);
            return true;
        }
    }

    private void Wake(Slab slab, TimeSpan now)
    {
        regions.Leave();
        lock (_lock)
        {
            _slabs.Wake(slab);
            if (slab.OutCount == 0)
            {
                Remove(slab, now);
                Settle();
            }
        }
    }
}
