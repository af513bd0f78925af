namespace Tarn;

/// <content>Giving memory back: by the clock, on request, under pressure, and from threads that ended.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Whether the heap keeps something that a later tick may give up.</summary>
    private bool HasMore =>
        Array.Exists(_classes, KeepsMore) || _regions.IdleBytes > 0 || _large.KeptBytes > 0 || Array.Exists(GetSections(), KeepsMore);

    /// <inheritdoc/>
    public long KeptBytes => Budget.Granted;

    /// <inheritdoc/>
    public long KeptGarbage => 0;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        _tickedAt = occasion.Now;
        HeapThreads.Directory.SweepEndedThreads();
        HeapThreads.ReleaseInherited();
        TimeSpan patience = Schedule.PatienceAt(occasion);
        using (_upkeep.Hold())
        {
            if (IsRetired)
            {
                return false;
            }

            HeapSection[] sections = GetSections();
            Budget.AdjustLimit(occasion, Schedule.Period);
            TrimTiers(sections, occasion.Now, patience);
            ParkAll(sections, occasion.Now);
        }

        GiveBack(occasion.Now, patience);
        if (occasion.MemoryIsScarce && Budget.Granted > Budget.Limit)
        {
            _cap.Evict(0, onlyUnneeded: false);
        }

        _refused.Report(Name);
        if (!HasMore)
        {
            Budget.RestoreLimit();
        }

        return Schedule.StayAwakeIf(() => HasMore);
    }

    /// <summary>Gives up all idle memory, on all threads.</summary>
    internal void TrimAll()
    {
        using (HeapThreads.Inheritance.Hold())
        {
            HeapThreads.Directory.SweepEndedThreads();
            using (_upkeep.Hold())
            {
                TrimNow();
            }
        }

        HeapThreads.ReleaseInherited();
        GiveBack(Schedule.Now, patience: null);
        Budget.Settle(keepsStep: false);
        _refused.Report(Name);
    }

    /// <inheritdoc/>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
        try
        {
            // Held during calls to the system, unlike elsewhere: the caller uses another heap, and this one may end at any time.
            using (_upkeep.Hold())
            {
                if (!IsRetired)
                {
                    _cap.GiveWay(bytes, onlyUnneeded);
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // What was given up so far has to suffice.
        }

        Budget.Settle(keepsStep: false);
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
        try
        {
            TrimAll();
            using (_upkeep.Hold())
            {
                if (!IsRetired)
                {
                    _cap.MakeRoomInSystem();
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // The caller tries again after a collection.
        }

        Budget.Settle(keepsStep: false);
    }

    /// <summary>Gives up the memory taken over from ended threads. The caller must hold no lock.</summary>
    internal void ReleaseInherited()
    {
        foreach (BlockClass shared in _classes)
        {
            shared.ReleaseEmptied();
        }
    }

    // No lambdas, for the reason that ThreadDirectory.Inherit gives.
    private static bool KeepsMore(BlockClass shared) => shared.HasMore;

    private static bool KeepsMore(HeapSection section) => section.HasMore;

    private void TrimNow()
    {
        if (!IsRetired)
        {
            HeapSection[] sections = GetSections();
            ParkAll(sections, Schedule.Now);
            if (_sections.Find() is { } mine)
            {
                mine.EmptyClasses();
            }

            TrimTiers(sections, Schedule.Now, patience: null);
        }
    }

    /// <summary>
    /// Takes over what an ended thread held. No other thread touches its section any more. Needs no memory, because the registry has
    /// forgotten the section already.
    /// </summary>
    internal void Adopt(HeapSection section)
    {
        Span<long> cached = stackalloc long[BlockSizes.SlabClassCount];
        using (_upkeep.Hold())
        {
            if (IsRetired)
            {
                return;
            }

            section.EmptyClasses();
            using (section.Sync.Hold())
            {
                section.Heap = null;
                Interlocked.Add(ref _accounts.PastRented, HeapAccounts.CountSection(section, cached));
            }
        }

        _sections.Remove(section);
        HeapThreads.AddHeir(this);

        // The sweeper may be another heap's tick. A slab that one block kept in use may now be idle, so this heap needs a tick too.
        Schedule.Wake();
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
        foreach (HeapSection section in sections)
        {
            using (section.Sync.Hold())
            {
                section.TakeParked(now, patience);
            }
        }

        foreach (BlockClass shared in _classes)
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
        TimeSpan interval = TimeSpan.FromTicks(Math.Max(Schedule.Period.Ticks, (patience?.Ticks ?? 0) / SlabPages.MostSweeps));
        int age = patience is null ? 0 : (int)Math.Ceiling(patience.Value / interval);

        // All of them first, which needs no managed memory: the rest may be refused it.
        foreach (BlockClass shared in _classes)
        {
            shared.ReleaseEmptied();
        }

        foreach (BlockClass shared in _classes)
        {
            shared.DiscardIdle(now, interval, age);
            shared.ReleaseEmptied();
        }

        _large.Age(now, patience ?? TimeSpan.MaxValue);
        _large.ReleaseIdle(before);
        _regions.DecommitIdle(before);
    }
}
