namespace Tarn;

/// <content>Giving memory back: by the clock, on request, under pressure, for room, and from threads that ended.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Something is kept that may have to go one day.</summary>
    private bool HasMore => Budget.Granted > 0 || Array.Exists(_slabs, static slabs => slabs.HasUndiscarded);

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        _tickedAt = occasion.Now;
        HeapThread.SweepDeadThreads();
        lock (_upkeep)
        {
            if (IsRetired)
            {
                return false;
            }

            if (Budget.AdjustLimit(occasion.MemoryIsScarce) is > 0 and long surplus)
            {
                Evict(surplus);
            }

            List<HeapSection> sections = HeapThread.SectionsOf(this);
            TrimTiers(sections, occasion.Now, Schedule.PatienceAt(occasion));
            ParkAll(sections, occasion.Now);
        }

        _refused.Report(Name);
        if (!HasMore)
        {
            Budget.RestoreLimit();
        }

        return Schedule.StayAwakeIf(() => HasMore);
    }

    /// <summary>Gives up everything that is idle, on all threads.</summary>
    internal void TrimAll()
    {
        lock (HeapThread.Inheritance)
        {
            HeapThread.SweepDeadThreads();
            lock (_upkeep)
            {
                TrimNow();
            }
        }

        _refused.Report(Name);
    }

    private void TrimNow()
    {
        if (!IsRetired)
        {
            List<HeapSection> sections = HeapThread.SectionsOf(this);
            ParkAll(sections, Schedule.Now);
            if (HeapThread.FindSection(this) is { } mine)
            {
                EmptyOwn(mine);
            }

            TrimTiers(sections, Schedule.Now, patience: null);
        }
    }

    /// <summary>Takes over what a thread that ended held; nobody else touches its section any more.</summary>
    internal void Adopt(HeapSection section)
    {
        lock (_upkeep)
        {
            if (IsRetired)
            {
                return;
            }

            EmptyOwn(section);
            lock (section.Sync)
            {
                section.Heap = null;
                Interlocked.Add(ref _pastRented, CountSection(section, new long[BlockSizes.ClassCount]));
                EmptySlots(section, Schedule.Now, patience: null);
            }
        }

        // Whoever sweeps may be another heap's tick: what one block held may be a slab's memory from now on, which has to go one day.
        if (HasMore)
        {
            Schedule.Wake();
        }
    }

    /// <summary>Empties a section whose owner is not in the middle of a call: it is this thread, or has ended.</summary>
    private void EmptyOwn(HeapSection section)
    {
        lock (section.Sync)
        {
            foreach (BlockClassCache? cache in section.Classes)
            {
                if (cache is not null)
                {
                    EmptyCache(cache);
                }
            }
        }
    }

    /// <summary>Gives the owner's magazines of a class up.</summary>
    private void EmptyCache(BlockClassCache cache)
    {
        cache.Unpark();
        GiveUp(cache.Index, cache.Loaded);
        cache.Load(null);
        GiveUp(cache.Index, cache.Previous);
        cache.Previous = null;
    }

    /// <summary>
    /// Gives up what caches keep of a class, so far as this thread reaches it: few blocks that nobody uses may hold many slabs, and
    /// what lies free beside them is under no cap.
    /// </summary>
    private void EmptyClass(BlockClassCache cache)
    {
        EmptyCache(cache);
        EmptyDepot(cache.Index, TimeSpan.MaxValue);
    }

    private void EmptyDepot(int index, TimeSpan before)
    {
        while (_depots[index].TakeIdle(before) is { } magazine)
        {
            GiveUp(index, magazine);
        }
    }

    /// <summary>Whether owners need what they have loaded shows from now on: they have to come for it.</summary>
    private static void ParkAll(List<HeapSection> sections, TimeSpan now)
    {
        foreach (HeapSection section in sections)
        {
            lock (section.Sync)
            {
                foreach (BlockClassCache? cache in section.Classes)
                {
                    cache?.Park(now);
                }
            }
        }
    }

    /// <summary>Of every tier, gives up what was not used for <paramref name="patience"/>, or everything when that is null.</summary>
    private void TrimTiers(List<HeapSection> sections, TimeSpan now, TimeSpan? patience)
    {
        TimeSpan before = patience is null ? TimeSpan.MaxValue : now - patience.Value;
        foreach (HeapSection section in sections)
        {
            lock (section.Sync)
            {
                TrimSection(section, now, patience);
                EmptySlots(section, now, patience);
            }
        }

        for (int index = 0; index < _depots.Length; index++)
        {
            EmptyDepot(index, before);
            _slabs[index].DiscardIdle(before, Memory);
        }

        _large.ReleaseIdle(before);
        _regions.DecommitIdle(before);
    }

    private void TrimSection(HeapSection section, TimeSpan now, TimeSpan? patience)
    {
        bool isFenced = false;
        foreach (BlockClassCache? cache in section.Classes)
        {
            if (cache is null)
            {
                continue;
            }

            if (cache.IsParked && cache.Loaded!.Granted > 0 && (patience is null || now - cache.ParkedAt >= patience))
            {
                if (!isFenced)
                {
                    Interlocked.MemoryBarrierProcessWide();
                    isFenced = true;
                }

                TakeParked(cache);
            }

            if (cache.PreviousUse.IsIdle(now, patience) && cache.Previous is { } previous)
            {
                cache.Previous = null;
                GiveUp(cache.Index, previous);
            }
        }
    }

    /// <summary>
    /// Takes what a parked magazine holds, all but what its owner may be about to take in one last call: see <see cref="HeapSection"/>.
    /// The owner asks for its room anew when it comes.
    /// </summary>
    private void TakeParked(BlockClassCache cache)
    {
        BlockMagazine parked = cache.Loaded!;
        ReadOnlySpan<nint> stack = parked.Stack;
        if (stack.Length > 1)
        {
            _slabs[cache.Index].Give(stack[..^1], TimeSpan.MinValue);
            parked.Taken += stack.Length - 1;
        }

        Budget.Release(parked.Granted);
        parked.Granted = 0;
    }

    /// <summary>Closes the slots of large buffers that were not emptied for <paramref name="patience"/>, or all when that is null.</summary>
    private void EmptySlots(HeapSection section, TimeSpan now, TimeSpan? patience)
    {
        if (!section.HasOpenSlots)
        {
            return;
        }

        if (section.TryBar())
        {
            for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
            {
                nint block = section.CloseIdleSlot(index, now, patience, out bool wasOpen);
                if (wasOpen)
                {
                    Budget.Release((long)BlockSizes.SizeOf(index));
                }

                if (block != 0)
                {
                    _large.TryGive(block, BlockSizes.SizeOf(index), now, static _ => false);
                }
            }
        }

        section.Unbar();
    }

    /// <summary>Has the budget grant <paramref name="bytes"/>, at the cost of what lies idle if <paramref name="evict"/> says so.</summary>
    private bool TryGrant(long bytes, bool evict) =>
        Budget.TryReserve(bytes) || (evict && bytes <= Budget.Limit && Evict(bytes) > 0 && Budget.TryReserve(bytes));

    /// <summary>The system refuses memory: gives back all that no thread holds, address space too.</summary>
    private void MakeRoomInSystem()
    {
        Evict(long.MaxValue);
        _regions.DecommitIdle(TimeSpan.MaxValue, keepRegion: false);
    }

    /// <summary>
    /// Gives up what no thread holds, until <paramref name="enough"/> bytes of the budget were freed; how many were. Other threads take from
    /// the budget meanwhile, so it does not tell.
    /// </summary>
    private long Evict(long enough)
    {
        long freed = _regions.DecommitIdle(TimeSpan.MaxValue, enough);
        freed += _large.ReleaseIdle(TimeSpan.MaxValue, enough - freed);
        for (int index = _depots.Length - 1; index >= 0; index--)
        {
            while (freed < enough && _depots[index].TakeIdle(TimeSpan.MaxValue) is { } magazine)
            {
                // The slabs that it empties are granted as idle memory, until they are decommitted.
                freed += magazine.Granted;
                GiveUp(index, magazine);
                _regions.DecommitIdle(TimeSpan.MaxValue, enough);
            }
        }

        return freed;
    }
}
