namespace Tarn.Native;

/// <summary>Computes a heap's counters on request, and checks the equations of its structure.</summary>
/// <remarks>
/// Blocks in use are the blocks out of their slabs minus those in caches and depots, so no call counts them. One word counts a magazine's
/// blocks and the blocks handed out, so one store updates both. Callers of <see cref="Count"/> and <see cref="Validate()"/> hold the locks
/// that guard the heap's end.
/// </remarks>
internal sealed unsafe class HeapAccounts(
    BlockClass[] classes,
    RegionSet regions,
    LargeBuffers large,
    CommittedBytes committed,
    MemoryBudget budget,
    ThreadRoom threads,
    OwnerSections<HeapSection, HeapThreads.Words> sections)
{
    /// <summary>Blocks handed out by threads that ended.</summary>
    internal long RentedByEnded;

    /// <summary>Blocks handed out by a heap that keeps none in threads.</summary>
    internal long RentedDirectly;

    /// <summary>Large buffers in a quarantine.</summary>
    internal long QuarantinedLargeBytes;

    /// <summary>Bytes that the system guarantees.</summary>
    internal long CommittedBytes => committed.Count;

    /// <summary>Bytes of address space.</summary>
    private long ReservedBytes => regions.ReservedBytes + large.ReservedBytes;

    /// <summary>Checks the equations of slabs, regions, large buffers and the budget, while no other thread uses the heap.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate()
    {
        long granted = regions.IdleBytes + large.Room;
        long[] room = new long[classes.Length];
        int[] rooms = new int[classes.Length];
        HashSet<nint> free = [];
        long roomBytes = 0;
        foreach (HeapSection section in sections.GetAll())
        {
            Validate(section, free, room, rooms, ref roomBytes);
        }

        ILookup<int, Slab> slabs = regions.Slabs.ToLookup(static slab => slab.Owner.Index);
        foreach (BlockClass shared in classes)
        {
            Validate(shared.Index, shared.DepotBlocks, free);
            shared.Validate([.. slabs[shared.Index]], room[shared.Index], rooms[shared.Index], ref granted);
        }

        Throw.UnlessHolds(threads.Granted == roomBytes, $"threads have room for {roomBytes} bytes, granted are {threads.Granted}");
        Throw.UnlessHolds(regions.IsValid(), "a region's counts are those of its granules");
        Throw.UnlessHolds(large.IsValid(), "kept large buffers are listed");
        Throw.UnlessHolds(
            granted + QuarantinedLargeBytes == budget.Granted,
            $"caches, depots and idle memory make {granted} bytes, granted are {budget.Granted}");
    }

    /// <summary>The counters now; exact when no other thread is in the middle of a call.</summary>
    internal HeapCount Count()
    {
        // Memory that goes back to the system between the two reads leaves these sums in the opposite order, so the smaller sum is read
        // later. Committed memory is also reserved: memory that is added between the reads is added to both.
        long reserved = ReservedBytes;
        long committedNow = CommittedBytes;
        reserved = Math.Max(reserved, committedNow);
        long[] cached = new long[BlockSizes.SlabClassCount];
        long rented = Volatile.Read(ref RentedByEnded) + large.Rented + Volatile.Read(ref RentedDirectly);
        foreach (HeapSection section in sections.GetAll())
        {
            using (section.Sync.Hold())
            {
                rented += CountSection(section, cached);
            }
        }

        long allocated = large.Created;
        long retained = regions.IdleBytes + large.KeptBytes;
        List<SizeClassCount> bySize = [];
        foreach (BlockClass shared in classes)
        {
            SlabClass slabs = shared.Slabs;
            long free = cached[shared.Index] + shared.DepotCount;
            Add(bySize, slabs.BlockSize, slabs.OutCount - free, free + slabs.FreeCount);
            retained += (free + slabs.FreeCount) * (long)slabs.BlockSize;
            allocated += slabs.CarvedCount;
        }

        foreach ((nuint size, long outside, long kept) in large.CountBySize())
        {
            Add(bySize, size, outside, kept);
        }

        return new HeapCount(
            rented,
            allocated,
            bySize.Sum(static counted => counted.InUseBlocks),
            bySize.Sum(static counted => counted.InUseBlocks * (long)counted.BlockSize),
            retained,
            committedNow,
            reserved,
            bySize);
    }

    private static void Add(List<SizeClassCount> bySize, nuint size, long inUse, long retained)
    {
        inUse = Math.Max(0, inUse);
        if (inUse > 0 || retained > 0)
        {
            bySize.Add(new SizeClassCount(size, inUse, retained));
        }
    }

    /// <summary>Adds the blocks that a section caches to <paramref name="cached"/>. Returns the number of blocks it handed out.</summary>
    internal static long CountSection(HeapSection section, Span<long> cached)
    {
        long rented = 0;
        foreach (BlockClassCache? cache in section.Classes)
        {
            if (cache is not null)
            {
                rented += cache.RentedSoFar;
                cached[cache.Shared.Index] += cache.FreeCount;
            }
        }

        return rented;
    }

    private void Validate(HeapSection section, HashSet<nint> free, long[] room, int[] rooms, ref long roomBytes)
    {
        foreach (BlockClassCache? cache in section.Classes)
        {
            if (cache is not null)
            {
                int index = cache.Shared.Index;
                if (cache.Loaded is { } loaded)
                {
                    Throw.UnlessHolds(
                        loaded.Limit == cache.Room || cache.IsRest, $"a thread has room for {cache.Room} blocks and uses {loaded.Limit}");
                    Throw.UnlessHolds(
                        loaded.Limit <= loaded.Slots && loaded.Taken <= loaded.Count, "a magazine holds no more than it has slots for");
                    Validate(index, loaded.Stack, free);
                }

                roomBytes += cache.Room * (long)cache.Shared.BlockSize;
                room[index] += cache.Room;
                rooms[index] += cache.Room > 0 ? 1 : 0;
                Throw.UnlessHolds(cache.FreeCount <= cache.Room, $"a thread has room for {cache.Room} blocks and keeps {cache.FreeCount}");
                nint expected = (nint)(cache.IsParked || cache.Loaded is null ? BlockMagazine.Closed : cache.Loaded).Words;
                nint entry = section.EntryOf(index);
                Throw.UnlessHolds(entry == expected, "an entry is the loaded magazine's, unless that is parked");
            }
        }
    }

    private void Validate(int index, ReadOnlySpan<nint> cached, HashSet<nint> free)
    {
        foreach (nint block in cached)
        {
            Throw.UnlessHolds(
                classes[index].Owns(block) && !regions.FindSlab(block)!.IsFree(block), "a cached block is out of a slab of its class");
            Throw.UnlessHolds(free.Add(block), "a block is cached once");
        }
    }
}
