namespace Tarn.Native;

/// <summary>Gives memory of a heap back: by the clock, on request, under pressure, for others, and from threads that ended.</summary>
/// <remarks>Ticks come one at a time. All other members are safe to call from any thread.</remarks>
internal sealed class HeapTrimmer(HeapCore heap) : ITrimmable
{
    /// <summary>Whether the heap keeps something that a later tick may give up.</summary>
    private bool HasMore =>
        Array.Exists(heap.Classes, KeepsMore) || heap.Regions.IdleBytes > 0 || heap.Large.KeptBytes > 0
            || Array.Exists(heap.GetSections(), KeepsMore);

    /// <inheritdoc/>
    public long KeptBytes => heap.Budget.Granted;

    /// <inheritdoc/>
    public long KeptGarbage => 0;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        heap.TickedAt = occasion.Now;
        HeapThreads.Directory.SweepEndedThreads();
        HeapThreads.ReleaseInherited();
        TimeSpan patience = heap.Schedule.PatienceAt(occasion);
        using (heap.Upkeep.Hold())
        {
            if (heap.IsRetired)
            {
                return false;
            }

            HeapSection[] sections = heap.GetSections();
            heap.Budget.AdjustLimit(occasion, heap.Schedule.Period);
            TrimTiers(sections, occasion.Now, patience);
            ParkAll(sections, occasion.Now);
        }

        GiveBack(occasion.Now, patience);
        if (occasion.MemoryIsScarce && heap.Budget.Granted > heap.Budget.Limit)
        {
            heap.Cap.Evict(0, onlyUnneeded: false);
        }

        heap.Refused.Report(heap.Name);
        if (!HasMore)
        {
            heap.Budget.RestoreLimit();
        }

        return heap.Schedule.StayAwakeIf(() => HasMore);
    }

    /// <summary>Gives up all idle memory, on all threads.</summary>
    internal void TrimAll()
    {
        using (HeapThreads.Inheritance.Hold())
        {
            HeapThreads.Directory.SweepEndedThreads();
            using (heap.Upkeep.Hold())
            {
                TrimNow();
            }
        }

        HeapThreads.ReleaseInherited();
        GiveBack(heap.Schedule.Now, patience: null);
        heap.Budget.Settle(keepsStep: false);
        heap.Refused.Report(heap.Name);
    }

    /// <inheritdoc/>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
        try
        {
            // Held during calls to the system, unlike elsewhere: the caller uses another heap, and this one may end at any time.
            using (heap.Upkeep.Hold())
            {
                if (!heap.IsRetired)
                {
                    heap.Cap.GiveWay(bytes, onlyUnneeded);
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // What was given up so far has to suffice.
        }
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
        try
        {
            TrimAll();
            using (heap.Upkeep.Hold())
            {
                if (!heap.IsRetired)
                {
                    heap.Cap.MakeRoomInSystem();
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // The caller tries again after a collection.
        }

        heap.Budget.Settle(keepsStep: false);
    }

    /// <summary>Gives up the memory taken over from ended threads. The caller holds no lock of the heap.</summary>
    internal void ReleaseInherited()
    {
        foreach (BlockClass shared in heap.Classes)
        {
            shared.ReleaseEmptied();
        }
    }

    // No lambdas, for the reason that ThreadDirectory.Inherit gives.
    private static bool KeepsMore(BlockClass shared) => shared.HasMore;

    private static bool KeepsMore(HeapSection section) => section.HasMore;

    private static bool HasParked(HeapSection section) => section.HasParked;

    private void TrimNow()
    {
        if (!heap.IsRetired)
        {
            HeapSection[] sections = heap.GetSections();
            ParkAll(sections, heap.Schedule.Now);
            if (heap.FindSection() is { } mine)
            {
                mine.EmptyClasses();
            }

            TrimTiers(sections, heap.Schedule.Now, patience: null);
        }
    }

    /// <summary>
    /// Takes over what an ended thread held. No other thread touches its section any more. Needs no memory, because the registry has
    /// forgotten the section already.
    /// </summary>
    internal void Adopt(HeapSection section)
    {
        Span<long> cached = stackalloc long[BlockSizes.SlabClassCount];
        using (heap.Upkeep.Hold())
        {
            if (heap.IsRetired)
            {
                return;
            }

            section.EmptyClasses();
            using (section.Sync.Hold())
            {
                section.Heap = null;
                Interlocked.Add(ref heap.Accounts.RentedByEnded, HeapAccounts.CountSection(section, cached));
            }
        }

        heap.Sections.Remove(section);
        HeapThreads.AddHeir(heap);

        // The sweeper may be another heap's tick. A slab that one block kept in use may now be idle, so this heap needs a tick too.
        heap.Schedule.Wake();
    }

    private static void ParkAll(HeapSection[] sections, TimeSpan now)
    {
        foreach (HeapSection section in sections)
        {
            using (section.Sync.Hold())
            {
                section.Park(now);
            }
        }
    }

    /// <summary>
    /// Takes out of caches and depots everything that was unused for <paramref name="patience"/>, or everything when that is null. Nothing
    /// goes back to the system yet.
    /// </summary>
    private void TrimTiers(HeapSection[] sections, TimeSpan now, TimeSpan? patience)
    {
        // One fence serves all sections, and no owner waits for it: the caller holds the lock under which ticks park.
        if (Array.Exists(sections, HasParked))
        {
            Interlocked.MemoryBarrierProcessWide();
        }

        foreach (HeapSection section in sections)
        {
            using (section.Sync.Hold())
            {
                section.TakeParked(now, patience);
            }
        }

        foreach (BlockClass shared in heap.Classes)
        {
            shared.EmptyDepot(now, patience);
        }
    }

    /// <summary>
    /// Returns to the system the memory taken out of reach, and memory idle for <paramref name="patience"/>. The caller must hold no lock.
    /// </summary>
    private void GiveBack(TimeSpan now, TimeSpan? patience)
    {
        TimeSpan before = patience is null ? TimeSpan.MaxValue : now - patience.Value;
        TimeSpan interval = TimeSpan.FromTicks(Math.Max(heap.Schedule.Period.Ticks, (patience?.Ticks ?? 0) / SlabPages.MostSweeps));
        int age = patience is null ? 0 : (int)Math.Ceiling(patience.Value / interval);

        // All of them first, which needs no managed memory: the rest may be refused it.
        foreach (BlockClass shared in heap.Classes)
        {
            shared.ReleaseEmptied();
        }

        foreach (BlockClass shared in heap.Classes)
        {
            shared.DiscardIdle(now, interval, age);
            shared.ReleaseEmptied();
        }

        heap.Large.Age(now, patience ?? TimeSpan.MaxValue);
        heap.Large.ReleaseIdle(before);
        heap.Regions.DecommitIdle(before);
    }
}
