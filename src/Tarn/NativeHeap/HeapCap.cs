namespace Tarn;

/// <summary>Keeps a heap's idle memory within its cap: grants room, and makes room by giving up idle memory, then kept blocks.</summary>
/// <remarks>Callers must hold no lock. All members are safe to call from any thread.</remarks>
internal sealed class HeapCap(BlockClass[] classes, RegionSet regions, LargeBuffers large, MemoryBudget budget, HeapSections sections)
{
    private int _hand;

    /// <summary>
    /// Requests <paramref name="bytes"/> from the budget. With <paramref name="evict"/>, gives up idle memory to make room.
    /// </summary>
    internal bool TryGrant(long bytes, bool evict)
    {
        if (!budget.TryReserve(bytes))
        {
            if (!evict || bytes > budget.Limit)
            {
                return false;
            }

            try
            {
                Evict(bytes, onlyUnneeded: true);
            }
            catch (OutOfMemoryException)
            {
                // Of managed memory: what was given up so far has to do.
            }

            return budget.TryReserve(bytes);
        }

        return true;
    }

    /// <summary>Returns everything that no thread holds, address space included, because the system refused memory.</summary>
    internal void MakeRoomInSystem()
    {
        Evict(long.MaxValue, onlyUnneeded: false);
        regions.DecommitIdle(TimeSpan.MaxValue, keepRegion: false);
    }

    /// <summary>
    /// Ends each call along the slow path, when no lock is held. The call itself is done: without managed memory to look for it, what is
    /// kept beyond the cap stays until the next one.
    /// </summary>
    internal void KeepWithin(BlockClass shared, BlockClassCache? cache, TimeSpan now)
    {
        try
        {
            MakeFit(shared, cache, now);
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>
    /// If the class has come to keep more than the cap allows, what is idle goes, then what the class keeps. If it was refused room, room
    /// is made for the next time.
    /// </summary>
    private void MakeFit(BlockClass shared, BlockClassCache? cache, TimeSpan now)
    {
        shared.ReleaseEmptied();
        if (budget.Granted > budget.Limit)
        {
            Evict(0, onlyUnneeded: true);
            if (budget.Granted > budget.Limit)
            {
                GiveUpClass(shared, cache, now);
                Evict(0, onlyUnneeded: true);
            }
        }
        else if (cache?.TakeWish() == true && shared.SlabBytes <= budget.Limit)
        {
            Evict(shared.SlabBytes, onlyUnneeded: true);
            TakeUnneededFromThreads(shared.SlabBytes, now);
        }
    }

    /// <summary>
    /// Gives up what no thread needs as far as more is kept than the cap allows; without managed memory for that, at a later call.
    /// </summary>
    internal void EvictSurplus()
    {
        try
        {
            if (budget.Granted > budget.Limit)
            {
                Evict(0, onlyUnneeded: true);
            }
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>Gives up the kept blocks of a class, on all threads.</summary>
    private void GiveUpClass(BlockClass shared, BlockClassCache? own, TimeSpan now)
    {
        shared.EmptyDepot(TimeSpan.MaxValue);
        if (own is not null)
        {
            lock (own.Sync)
            {
                own.Empty();
            }
        }

        shared.ReleaseEmptied();
        if (budget.Granted <= budget.Limit)
        {
            return;
        }

        foreach (HeapSection section in sections.GetAll())
        {
            lock (section.Sync)
            {
                if (section.Classes[shared.Index] is { Loaded: not null, IsRest: false } other && other != own)
                {
                    other.Park(now);
                    Interlocked.MemoryBarrierProcessWide();
                    other.TakeParked();
                }
            }
        }

        shared.ReleaseEmptied();
    }

    /// <summary>
    /// Visits one thread a call, in rotation, unless <paramref name="wanted"/> bytes are free. Takes the magazines that the last visit
    /// parked and whose owner did not need them, then parks the loaded ones.
    /// </summary>
    private void TakeUnneededFromThreads(long wanted, TimeSpan now)
    {
        if (budget.Limit - budget.Granted >= wanted)
        {
            return;
        }

        HeapSection[] all = sections.GetAll();
        HeapSection section = all[(int)((uint)Interlocked.Increment(ref _hand) % (uint)all.Length)];
        lock (section.Sync)
        {
            section.TakeParked(now, patience: null);
            section.Park(now);
        }

        foreach (BlockClass shared in classes)
        {
            shared.ReleaseEmptied();
        }
    }

    /// <summary>
    /// Gives up memory that no thread holds until the budget has <paramref name="wanted"/> bytes left. This is no guarantee, because other
    /// threads draw on the budget at the same time.
    /// </summary>
    internal void Evict(long wanted, bool onlyUnneeded)
    {
        regions.DecommitIdle(TimeSpan.MaxValue, Missing());
        large.ReleaseIdle(TimeSpan.MaxValue, Missing());
        for (int index = classes.Length - 1; index >= 0 && Missing() > 0; index--)
        {
            BlockClass shared = classes[index];
            if (shared.DepotCount == 0)
            {
                continue;
            }

            if (onlyUnneeded)
            {
                shared.EmptyUnneeded();
            }
            else
            {
                shared.EmptyDepot(TimeSpan.MaxValue);
            }

            shared.ReleaseEmptied();
            regions.DecommitIdle(TimeSpan.MaxValue, Missing());
        }

        long Missing() => Math.Max(0, wanted == long.MaxValue ? wanted : budget.Granted + wanted - budget.Limit);
    }
}
