namespace Tarn.Native;

/// <summary>Keeps a heap's idle memory within its cap: grants room, and makes room by giving up idle memory, then kept blocks.</summary>
/// <remarks>Callers must hold no lock. All members are safe to call from any thread.</remarks>
internal sealed class HeapCap(
    BlockClass[] classes,
    RegionSet regions,
    LargeBuffers large,
    MemoryBudget budget,
    OwnerSections<HeapSection, HeapThreads.Words> sections,
    TrimSchedule schedule,
    Lock upkeep)
{
    /// <summary>What all sources of the process keep beyond what they may.</summary>
    private long Overdrawn => schedule.Clock.Budget.Overdrawn;

    /// <summary>Makes room for <paramref name="bytes"/> by giving up idle memory; false if the cap is less.</summary>
    internal bool TryMakeRoom(long bytes)
    {
        if (bytes > budget.Limit)
        {
            return false;
        }

        try
        {
            Evict(bytes, onlyUnneeded: true);
            schedule.TryMakeRoom(budget, bytes);
        }
        catch (OutOfMemoryException)
        {
            // Out of managed memory: the memory given up so far has to suffice.
        }

        return true;
    }

    /// <summary>Returns everything that no thread holds, address space included, because the system refused memory.</summary>
    internal void MakeRoomInSystem()
    {
        Evict(long.MaxValue, onlyUnneeded: false);
        regions.DecommitIdle(TimeSpan.MaxValue, keepRegion: false);
    }

    /// <summary>Gives up about <paramref name="bytes"/> for other sources, although the heap is within its cap.</summary>
    internal void GiveWay(long bytes, bool onlyUnneeded)
    {
        long target = budget.Granted - bytes;
        try
        {
            Evict(budget.Limit - target, onlyUnneeded);
        }
        finally
        {
            budget.Settle(keepsStep: false);
        }
    }

    /// <summary>
    /// Ends each call on the slow path, while no lock is held. The call itself is complete. Without managed memory for the search, memory
    /// kept beyond the cap stays until the next call.
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
    /// If the class keeps more than the cap allows, gives up idle memory and then the memory of the class.
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

        long taken = shared.TakenUnasked();
        if (taken > 0)
        {
            // Drawn first, so that the search knows how much is missing. What others that keep more do not give, this heap does.
            budget.Settle();
            schedule.TryMakeRoom(budget, taken, wereTaken: true);
            if (Overdrawn > 0)
            {
                GiveWay(Overdrawn, onlyUnneeded: false);
                if (Overdrawn > 0)
                {
                    GiveUpClass(shared, cache, now);
                    GiveWay(Overdrawn, onlyUnneeded: true);
                }
            }
        }
    }

    /// <summary>
    /// Gives up unused memory while the heap keeps more than the cap allows. Without managed memory for that, a later call does it.
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
        shared.EmptyDepot(schedule.Now, patience: null);
        if (own is not null)
        {
            using (own.Sync.Hold())
            {
                own.Empty();
            }
        }

        shared.ReleaseEmptied();
        if (budget.Granted <= budget.Limit)
        {
            return;
        }

        GiveUpMagazines(shared, now);
        shared.ReleaseEmptied();
    }

    /// <summary>Takes the blocks of a class out of all threads' magazines, with one fence.</summary>
    private void GiveUpMagazines(BlockClass shared, TimeSpan now)
    {
        // Held from the parking to the end, as by a tick: no tick parks a magazine after the fence.
        using (upkeep.Hold())
        {
            HeapSection[] all = sections.GetAll();
            bool hasParked = false;
            foreach (HeapSection section in all)
            {
                using (section.Sync.Hold())
                {
                    section.Classes[shared.Index]?.Park(now);
                    hasParked |= section.HasParkedOf(shared.Index);
                }
            }

            if (!hasParked)
            {
                return;
            }

            Interlocked.MemoryBarrierProcessWide();
            foreach (HeapSection section in all)
            {
                using (section.Sync.Hold())
                {
                    if (section.HasParkedOf(shared.Index))
                    {
                        section.Classes[shared.Index]!.TakeParked();
                    }
                }
            }
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
                shared.EmptyDepot(schedule.Now, patience: null);
            }

            shared.ReleaseEmptied();
            regions.DecommitIdle(TimeSpan.MaxValue, Missing());
        }

        long Missing() => Math.Max(0, wanted == long.MaxValue ? wanted : budget.Granted + wanted - budget.Limit);
    }
}
