namespace Tarn;

/// <content>Counters, summed only when someone reads them, and the check of the structure's equations.</content>
/// <remarks>
/// Blocks in use are those out of their slabs less those in caches and depots, so no call counts them. Blocks handed out are counted
/// in the word that counts a magazine's blocks, by the same store.
/// </remarks>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Blocks handed out by threads that ended.</summary>
    private long _pastRented;

    /// <summary>Large buffers handed out past the slots.</summary>
    private long _rentedLarge;

    private long _createdLarge;

    /// <summary>Set when the heap ends.</summary>
    private HeapCount? _lastCount;

    /// <summary>Bytes the system stands for.</summary>
    internal long CommittedBytes => _committed.Count;

    /// <summary>Bytes of address space.</summary>
    private long ReservedBytes => _regions.ReservedBytes + _large.ReservedBytes;

    /// <summary>
    /// The counters now; exact when no other thread is in the middle of a call. The clock waits meanwhile. Of a heap that ended, what was
    /// counted until then, and nothing in use.
    /// </summary>
    internal HeapCount Count()
    {
        lock (HeapThread.Inheritance)
        {
            lock (_upkeep)
            {
                return _lastCount ?? CountNow();
            }
        }
    }

    /// <summary>Checks the equations of slabs, regions, large buffers and the budget; for tests, while no other thread uses the heap.</summary>
    /// <exception cref="InvalidOperationException">One does not hold; the message says which.</exception>
    internal void Validate()
    {
        lock (HeapThread.Inheritance)
        {
            lock (_upkeep)
            {
                long granted = _regions.IdleBytes + _large.KeptBytes + _depots.Sum(static depot => depot.GrantedBytes);
                HashSet<nint> free = [];
                foreach (HeapSection section in HeapThread.SectionsOf(this))
                {
                    foreach (BlockClassCache? cache in section.Classes)
                    {
                        if (cache is not null)
                        {
                            Validate(cache.Index, cache.Loaded, free, ref granted);
                            Validate(cache.Index, cache.Previous, free, ref granted);
                            nint expected = (nint)(cache.IsParked || cache.Loaded is null ? BlockMagazine.Closed : cache.Loaded).Words;
                            Throw.UnlessHolds(
                                section.Words[cache.Index] == expected, "an entry is the loaded magazine's, unless that is parked");
                        }
                    }

                    for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
                    {
                        nint slot = *section.SlotOf(index);
                        granted += slot == HeapSection.ClosedSlot ? 0 : (long)BlockSizes.SizeOf(index);
                        Throw.UnlessHolds(
                            slot <= HeapSection.OpenSlot || (_large.TryGetSize(slot, out nuint size) && size == BlockSizes.SizeOf(index)),
                            "a slot's buffer is out");
                    }
                }

                for (int index = 0; index < _depots.Length; index++)
                {
                    foreach (BlockMagazine magazine in _depots[index].Filled)
                    {
                        long unused = 0;
                        Validate(index, magazine, free, ref unused);
                        Throw.UnlessHolds(magazine.FreeCount > 0 && magazine.Taken == 0, "a magazine in the depot has blocks");
                    }
                }

                ILookup<SlabClass, Slab> slabs = _regions.Slabs.ToLookup(static slab => slab.Owner);
                Throw.UnlessHolds(_slabs.All(each => each.IsValid([.. slabs[each]])), "a class counts and lists its slabs' blocks");
                Throw.UnlessHolds(_regions.IsValid(), "a region's counts are those of its granules");
                Throw.UnlessHolds(_large.IsValid(), "kept large buffers are listed");
                Throw.UnlessHolds(
                    granted == Budget.Granted, $"caches, depots and idle memory make {granted} bytes, granted are {Budget.Granted}");
            }
        }
    }

    /// <summary>What <see cref="Count"/> tells, under its locks.</summary>
    private HeapCount CountNow()
    {
        long[] cached = new long[BlockSizes.ClassCount];
        long rented = Volatile.Read(ref _pastRented) + Volatile.Read(ref _rentedLarge);
        foreach (HeapSection section in HeapThread.SectionsOf(this))
        {
            lock (section.Sync)
            {
                rented += CountSection(section, cached);
            }
        }

        long allocated = Volatile.Read(ref _createdLarge);
        long retained = _regions.IdleBytes + _large.KeptBytes;
        List<NativeSizeClassStatistics> classes = [];
        for (int index = 0; index < _slabs.Length; index++)
        {
            SlabClass slabs = _slabs[index];
            long free = cached[index] + _depots[index].BlockCount;
            Add(classes, slabs.BlockSize, slabs.OutCount - free, free + slabs.FreeCount);
            retained += (free + slabs.FreeCount) * (long)slabs.BlockSize;
            allocated += slabs.CarvedCount;
        }

        foreach ((nuint size, long outside, long kept) in _large.CountBySize())
        {
            long inSlots = size <= BlockSizes.LargestClassSize ? cached[(int)BlockSizes.IndexOf(size)] : 0;
            Add(classes, size, outside - inSlots, kept + inSlots);
            retained += inSlots * (long)size;
        }

        return new HeapCount(
            rented,
            allocated,
            classes.Sum(static counted => counted.InUseBlocks),
            classes.Sum(static counted => counted.InUseBlocks * (long)counted.BlockSize),
            retained,
            CommittedBytes,
            ReservedBytes,
            classes);
    }

    private static void Add(List<NativeSizeClassStatistics> classes, nuint size, long inUse, long retained)
    {
        inUse = Math.Max(0, inUse);
        if (inUse > 0 || retained > 0)
        {
            classes.Add(new NativeSizeClassStatistics(size, inUse, retained));
        }
    }

    /// <summary>Adds what a section caches; the blocks it handed out.</summary>
    private static long CountSection(HeapSection section, long[] cached)
    {
        long rented = section.CountSlotPops();
        foreach (BlockClassCache? cache in section.Classes)
        {
            if (cache is not null)
            {
                rented += cache.RentedSoFar;
                cached[cache.Index] += cache.FreeCount;
            }
        }

        for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
        {
            cached[index] += Volatile.Read(ref *section.SlotOf(index)) > HeapSection.OpenSlot ? 1 : 0;
        }

        return rented;
    }

    private void Validate(int index, BlockMagazine? magazine, HashSet<nint> free, ref long granted)
    {
        if (magazine is null)
        {
            return;
        }

        granted += magazine.Granted;
        Throw.UnlessHolds(
            magazine.Count <= magazine.Room && magazine.Taken <= magazine.Count, "a magazine holds no more than it has room for");
        Throw.UnlessHolds(magazine.Words[BlockMagazine.Capacity] <= magazine.Room, "a magazine's capacity is within its room");
        Throw.UnlessHolds(
            magazine.Granted == 0 || magazine.Granted == GrantFor(BlockSizes.SizeOf(index), (int)magazine.Words[BlockMagazine.Capacity]),
            "a magazine's room is granted");
        foreach (nint block in magazine.Stack)
        {
            Throw.UnlessHolds(
                _slabs[index].Owns(block) && !_regions.FindSlab(block)!.IsFree(block), "a cached block is out of a slab of its class");
            Throw.UnlessHolds(free.Add(block), "a block is cached once");
        }
    }
}
