using System.Collections.Concurrent;

namespace Tarn;

/// <content>Giving memory back: by the clock, on request, under pressure, for room, and from threads that ended.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Large buffers that threads left which ended, on the way to where they are kept.</summary>
    private readonly ConcurrentBag<(nint Block, int Index)> _orphans = [];

    private int _hand;

    /// <summary>Something is kept that may have to go one day.</summary>
    private bool HasMore =>
        Array.Exists(_classes, static shared => shared.HasMore) || _regions.IdleBytes > 0 || _large.KeptBytes > 0 || HasOpenSlots;

    private bool HasOpenSlots => Array.Exists(GetSections(), static section => section.HasOpenSlots);

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        _tickedAt = occasion.Now;
        HeapThreads.Directory.SweepEndedThreads();
        HeapThreads.ReleaseInherited();
        TimeSpan patience = Schedule.PatienceAt(occasion);
        List<(nint Block, int Index)> large = [];
        lock (_upkeep)
        {
            if (IsRetired)
            {
                return false;
            }

            Budget.AdjustLimit(occasion.MemoryIsScarce);
            HeapSection[] sections = GetSections();
            TrimTiers(sections, occasion.Now, patience, large);
            ParkAll(sections, occasion.Now);
        }

        GiveBack(occasion.Now, patience, large);
        if (occasion.MemoryIsScarce && Budget.Granted > Budget.Limit)
        {
            Evict(0, onlyUnneeded: false);
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
        List<(nint Block, int Index)> large = [];
        lock (HeapThreads.Inheritance)
        {
            HeapThreads.Directory.SweepEndedThreads();
            lock (_upkeep)
            {
                TrimNow(large);
            }
        }

        HeapThreads.ReleaseInherited();
        GiveBack(Schedule.Now, patience: null, large);
        _refused.Report(Name);
    }

    /// <summary>Gives up what was taken over of threads that ended. No lock may be held.</summary>
    internal void ReleaseInherited()
    {
        Array.ForEach(_classes, static shared => shared.ReleaseEmptied());
        while (_orphans.TryTake(out (nint Block, int Index) orphan))
        {
            _large.TryGive(orphan.Block, BlockSizes.SizeOf(orphan.Index), Schedule.Now, Budget.TryReserve);
        }
    }

    private void TrimNow(List<(nint Block, int Index)> large)
    {
        if (!IsRetired)
        {
            HeapSection[] sections = GetSections();
            ParkAll(sections, Schedule.Now);
            if (FindSection() is { } mine)
            {
                EmptyOwn(mine);
            }

            TrimTiers(sections, Schedule.Now, patience: null, large);
        }
    }

    /// <summary>Takes over what a thread that ended held; nobody else touches its section any more.</summary>
    internal void Adopt(HeapSection section)
    {
        List<(nint Block, int Index)> large = [];
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
                EmptySlots(section, Schedule.Now, patience: null, large);
            }
        }

        lock (_sectionsLock)
        {
            _sections.Remove(section);
        }

        large.ForEach(_orphans.Add);
        HeapThreads.AddHeir(this);

        // Whoever sweeps may be another heap's tick: what one block held may be a slab's memory from now on, which has to go one day.
        Schedule.Wake();
    }

    /// <summary>Empties a section whose owner is not in the middle of a call: it is this thread, or has ended.</summary>
    private static void EmptyOwn(HeapSection section)
    {
        lock (section.Sync)
        {
            foreach (BlockClassCache? cache in section.Classes)
            {
                cache?.Empty();
            }
        }
    }

    /// <summary>Whether owners need what they have loaded shows from now on: they have to come for it.</summary>
    private static void ParkAll(HeapSection[] sections, TimeSpan now)
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

    /// <summary>
    /// Takes out of caches and depots what was not used for <paramref name="patience"/>, or everything when that is null. Nothing goes back
    /// to the system yet: <paramref name="large"/> gets the large buffers that are to, emptied slabs wait.
    /// </summary>
    private void TrimTiers(HeapSection[] sections, TimeSpan now, TimeSpan? patience, List<(nint Block, int Index)> large)
    {
        foreach (HeapSection section in sections)
        {
            lock (section.Sync)
            {
                TrimSection(section, now, patience);
                EmptySlots(section, now, patience, large);
            }
        }

        foreach (BlockClass shared in _classes)
        {
            shared.EmptyDepot(patience is null ? TimeSpan.MaxValue : now - patience.Value);
        }
    }

    private static void TrimSection(HeapSection section, TimeSpan now, TimeSpan? patience)
    {
        TakeParked(section, now, patience);
        foreach (BlockClassCache? cache in section.Classes)
        {
            cache?.DropIdle(now, patience);
        }
    }

    private static void TakeParked(HeapSection section, TimeSpan now, TimeSpan? patience)
    {
        bool isFenced = false;
        foreach (BlockClassCache? cache in section.Classes)
        {
            if (cache is { IsParked: true, IsRest: false } && (patience is null || now - cache.ParkedAt >= patience))
            {
                if (!isFenced)
                {
                    Interlocked.MemoryBarrierProcessWide();
                    isFenced = true;
                }

                cache.TakeParked();
            }
        }
    }

    /// <summary>Gives to the system what was taken out of reach, or idle for <paramref name="patience"/>. No lock is held.</summary>
    private void GiveBack(TimeSpan now, TimeSpan? patience, List<(nint Block, int Index)> large)
    {
        foreach ((nint block, int index) in large)
        {
            _large.TryGive(block, BlockSizes.SizeOf(index), now, static _ => false);
        }

        TimeSpan before = patience is null ? TimeSpan.MaxValue : now - patience.Value;
        TimeSpan interval = Schedule.Period;
        int age = patience is null ? 0 : (int)Math.Min(byte.MaxValue, Math.Ceiling(patience.Value / interval));
        foreach (BlockClass shared in _classes)
        {
            shared.ReleaseEmptied();
            shared.DiscardIdle(now, interval, age);
            shared.ReleaseEmptied();
        }

        _large.ReleaseIdle(before);
        _regions.DecommitIdle(before);
    }

    /// <summary>Closes the slots of large buffers not emptied for <paramref name="patience"/>, or all when that is null.</summary>
    private void EmptySlots(HeapSection section, TimeSpan now, TimeSpan? patience, List<(nint Block, int Index)> large)
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
                    large.Add((block, index));
                }
            }
        }

        section.Unbar();
    }

    /// <summary>Has the budget grant <paramref name="bytes"/>, at the cost of what lies idle if <paramref name="evict"/> says so.</summary>
    private bool TryGrant(long bytes, bool evict)
    {
        if (!Budget.TryReserve(bytes))
        {
            if (!evict || bytes > Budget.Limit)
            {
                return false;
            }

            Evict(bytes, onlyUnneeded: true);
            return Budget.TryReserve(bytes);
        }

        return true;
    }

    /// <summary>The system refuses memory: gives back all that no thread holds, address space too.</summary>
    private void MakeRoomInSystem()
    {
        Evict(long.MaxValue, onlyUnneeded: false);
        _regions.DecommitIdle(TimeSpan.MaxValue, keepRegion: false);
    }

    /// <summary>
    /// Ends each call along the slow path, when no lock is held. If the class has come to keep more than the cap allows, what is idle goes,
    /// then what the class keeps. If it was refused room, room is made for the next time.
    /// </summary>
    private void KeepWithinCap(BlockClass shared, BlockClassCache? cache)
    {
        shared.ReleaseEmptied();
        if (Budget.Granted > Budget.Limit)
        {
            Evict(0, onlyUnneeded: true);
            if (Budget.Granted > Budget.Limit)
            {
                GiveUpClass(shared, cache);
                Evict(0, onlyUnneeded: true);
            }
        }
        else if (cache?.TakeWish() == true && shared.SlabBytes <= Budget.Limit)
        {
            Evict(shared.SlabBytes, onlyUnneeded: true);
            TakeUnneededFromThreads(shared.SlabBytes);
        }

        Wake(shared);
    }

    /// <summary>Gives up what is kept of a class, on all threads.</summary>
    private void GiveUpClass(BlockClass shared, BlockClassCache? own)
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
        if (Budget.Granted <= Budget.Limit)
        {
            return;
        }

        foreach (HeapSection section in GetSections())
        {
            lock (section.Sync)
            {
                if (section.Classes[shared.Index] is { Loaded: not null, IsRest: false } other && other != own)
                {
                    other.Park(_tickedAt);
                    Interlocked.MemoryBarrierProcessWide();
                    other.TakeParked();
                }
            }
        }

        shared.ReleaseEmptied();
    }

    /// <summary>
    /// A hand that goes round the threads: it parks what it finds, and takes what it parked the last time and nobody came for. A turn a
    /// call, until <paramref name="wanted"/> bytes are free.
    /// </summary>
    private void TakeUnneededFromThreads(long wanted)
    {
        if (Budget.Limit - Budget.Granted >= wanted)
        {
            return;
        }

        HeapSection[] sections = GetSections();
        HeapSection section = sections[(int)((uint)Interlocked.Increment(ref _hand) % (uint)sections.Length)];
        lock (section.Sync)
        {
            TakeParked(section, _tickedAt, patience: null);
            foreach (BlockClassCache? cache in section.Classes)
            {
                cache?.Park(_tickedAt);
            }
        }

        foreach (BlockClass shared in _classes)
        {
            shared.ReleaseEmptied();
        }
    }

    /// <summary>
    /// Gives up what no thread holds until the budget has <paramref name="wanted"/> bytes left. Other threads take from it meanwhile, so
    /// this is no promise.
    /// </summary>
    private void Evict(long wanted, bool onlyUnneeded)
    {
        _regions.DecommitIdle(TimeSpan.MaxValue, Missing());
        _large.ReleaseIdle(TimeSpan.MaxValue, Missing());
        for (int index = _classes.Length - 1; index >= 0 && Missing() > 0; index--)
        {
            BlockClass shared = _classes[index];
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
            _regions.DecommitIdle(TimeSpan.MaxValue, Missing());
        }

        long Missing() => Math.Max(0, wanted == long.MaxValue ? wanted : Budget.Granted + wanted - Budget.Limit);
    }
}
