namespace Tarn;

/// <summary>
/// What lies behind the fast path of a <see cref="NativeHeap"/>: the threads' slow side, the depots, slabs, large buffers, the cap.
/// </summary>
/// <remarks>
/// <para>A call that misses: previous magazine, then the depot, then the slabs, then a new slab. A free that finds no room: more room if
/// the thread has earned it, else the empty previous magazine, else the full previous one goes to the depot; when the depot has enough,
/// or the cap leaves no room, blocks go back to their slabs. These steps are those of <see cref="BlockClassCache"/>, on a thread's side,
/// and of <see cref="BlockClass"/>, on the side that all share.</para>
/// <para>The cap: <see cref="Budget"/> stands for what each class keeps (<see cref="BlockClass"/>) + the open slots of large buffers + kept
/// large buffers + idle granules, in bytes. <see cref="HeapCap"/> keeps it, <see cref="HeapAccounts"/> checks it.</para>
/// <para>Locks, in the order they are taken: <see cref="HeapThreads.Inheritance"/>, <see cref="_upkeep"/>, that of the
/// list of sections, a section's, a class's, the regions'; the large buffers' comes last. None of them is held during a call to the
/// system for memory: what is to be given back is taken out of reach under the locks, and given back after them. Misuse is reported when
/// none is held.</para>
/// </remarks>
internal sealed unsafe partial class HeapCore : ITrimmable
{
    private readonly BlockClass[] _classes = new BlockClass[BlockSizes.SlabClassCount];
    private readonly RegionSet _regions;
    private readonly LargeBuffers _large;
    private readonly RefusedBlocks _refused = new();
    private readonly bool _keepsBlocks;
    private readonly HeapSections _sections;
    private readonly HeapCap _cap;
    private readonly HeapAccounts _accounts;

    /// <summary>Held while memory is taken from caches and slabs, so that the heap does not end meanwhile.</summary>
    private readonly Lock _upkeep = new();

    /// <summary>The time of the last tick: good enough to tell what lies idle, and free.</summary>
    private TimeSpan _tickedAt;

    /// <summary>Set when the heap ends.</summary>
    private HeapCount? _lastCount;

    /// <param name="options">The heap's.</param>
    /// <param name="name">For reports.</param>
    /// <param name="keepsBlocks">Whether threads keep blocks for reuse; where all are looked at, nothing is to be gained by it.</param>
    internal HeapCore(NativeHeapOptions options, string name, bool keepsBlocks)
    {
        _keepsBlocks = keepsBlocks;
        Memory = options.Memory ?? VirtualMemory.Current;
        Name = name;
        Schedule = new TrimSchedule(this, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Index = HeapThreads.Directory.TakeIndex();
        Budget = new MemoryBudget(options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes);
        CommittedBytes committed = new(options.AddMemoryPressure);
        _regions = new RegionSet(Memory, Budget, committed);
        _large = new LargeBuffers(Memory, Budget, committed);
        for (int index = 0; index < _classes.Length; index++)
        {
            _classes[index] = new BlockClass(index, _regions, Budget, _refused, Memory);
        }

        _sections = new HeapSections(this, Index);
        _cap = new HeapCap(_classes, _regions, _large, Budget, _sections);
        _accounts = new HeapAccounts(_classes, _regions, _large, committed, Budget, _sections);
    }

    /// <summary>The size classes whose blocks lie in slabs.</summary>
    internal IReadOnlyList<BlockClass> Classes => _classes;

    /// <summary>The heap's name in reports.</summary>
    internal string Name { get; }

    /// <summary>The heap's place in every thread's directory; unique among the heaps alive.</summary>
    internal int Index { get; }

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>Bytes the system stands for.</summary>
    internal long CommittedBytes => _accounts.CommittedBytes;

    /// <summary>The operating system's memory.</summary>
    internal VirtualMemory Memory { get; }

    /// <summary>No thread makes a section for this heap any more.</summary>
    internal bool IsRetired => _sections.IsClosed;

    /// <summary>Hands out a block of any size but 0; 0 when the system refuses memory.</summary>
    internal nint Allocate(nuint size, out bool isZero)
    {
        isZero = false;
        return size > BlockSizes.LargestSlabSize ? TakeLarge(size, out isZero) : Take((int)BlockSizes.IndexOf(size));
    }

    /// <summary>Takes a block back; false when none of that size lies there, as far as that can be told, and nothing has changed.</summary>
    internal bool TryFree(nint block, nuint size, bool keep)
    {
        if (size > BlockSizes.LargestSlabSize)
        {
            return TryGiveLarge(block, size, keep);
        }

        int index = (int)BlockSizes.IndexOf(size);
        if (FindClass(block) != index)
        {
            return false;
        }

        Give(block, index);
        return true;
    }

    /// <summary>A block that was handed out is in a quarantine, so not in use for the time being; or leaves it.</summary>
    internal void SetAside(nint block, nuint size, bool isAside)
    {
        if (size <= BlockSizes.LargestSlabSize)
        {
            _classes[(int)BlockSizes.IndexOf(size)].SetAside(block, isAside);
        }
        else
        {
            long bytes = isAside ? (long)size : -(long)size;
            Interlocked.Add(ref _accounts.AsideLargeBytes, bytes);
            Budget.Release(-bytes);
        }

        if (isAside)
        {
            _cap.EvictSurplus();
        }
    }

    /// <summary>
    /// The counters now; exact when no other thread is in the middle of a call. The clock waits meanwhile. Of a heap that ended, what was
    /// counted until then, and nothing in use.
    /// </summary>
    internal HeapCount Count()
    {
        lock (HeapThreads.Inheritance)
        {
            lock (_upkeep)
            {
                return _lastCount ?? _accounts.Count();
            }
        }
    }

    /// <inheritdoc cref="HeapAccounts.Validate()"/>
    internal void Validate()
    {
        lock (HeapThreads.Inheritance)
        {
            lock (_upkeep)
            {
                _accounts.Validate();
            }
        }
    }

    /// <summary>The heap is gone: no thread reaches its memory any more, and all of it goes back to the system.</summary>
    internal void Retire()
    {
        lock (HeapThreads.Inheritance)
        {
            lock (_upkeep)
            {
                HeapCount last = _accounts.Count();
                _lastCount = new HeapCount(last.Rented, last.Allocated, 0, 0, 0, 0, 0, []);
                _sections.Close();
                _regions.Close();
                _large.Close();
            }
        }

        _regions.ReleaseAll();
        _large.ReleaseAll();
    }

    /// <summary>Every thread's section, those of threads that ended and were not found yet among them.</summary>
    internal HeapSection[] GetSections() => _sections.GetAll();

    /// <summary>The class of the block that begins at <paramref name="block"/>; -1 when it is not one in a slab of this heap.</summary>
    internal int FindClass(nint block) =>
        _regions.FindSlab(block) is { } slab && slab.Owner.IndexOf(block - slab.Start) >= 0 ? slab.Owner.Index : -1;

    /// <summary>Hands out a block of a slab class; 0 when the system refuses memory.</summary>
    private nint Take(int index)
    {
        ReadClock();
        BlockClassCache? cache = CacheOf(index);
        BlockClass shared = _classes[index];
        nint block = TakeOnce(shared, cache);
        if (block == 0)
        {
            _cap.MakeRoomInSystem();
            block = TakeOnce(shared, cache);
        }

        _cap.KeepWithin(shared, cache, _tickedAt);
        Wake(shared);
        return block;
    }

    /// <summary>Takes a block of a slab class back.</summary>
    private void Give(nint block, int index)
    {
        ReadClock();
        BlockClassCache? cache = CacheIfPossible(index);
        BlockClass shared = _classes[index];
        bool isKept = false;
        if (cache is not null)
        {
            lock (cache.Sync)
            {
                isKept = cache.TryGive(block, Budget.Limit, _tickedAt);
            }
        }

        if (!isKept)
        {
            shared.GiveToSlabs([block], _tickedAt);
        }

        _cap.KeepWithin(shared, cache, _tickedAt);
        Wake(shared);
        _refused.Report(Name);
    }

    private nint TakeOnce(BlockClass shared, BlockClassCache? cache)
    {
        nint block;
        int batch = 1;
        if (cache is null)
        {
            block = shared.TakeOne();
            Interlocked.Add(ref _accounts.RentedDirectly, block != 0 ? 1 : 0);
        }
        else
        {
            lock (cache.Sync)
            {
                block = cache.TryTake(Budget.Limit);
                batch = cache.Batch;
            }
        }

        return block != 0 ? block : TakeFromNewSlab(shared, cache, batch);
    }

    private nint TakeFromNewSlab(BlockClass shared, BlockClassCache? cache, int batch)
    {
        Span<nint> blocks = stackalloc nint[batch];
        int taken = shared.TakeFromNewSlab(blocks);
        if (taken == 0)
        {
            return 0;
        }

        if (cache is null)
        {
            Interlocked.Increment(ref _accounts.RentedDirectly);
        }
        else
        {
            lock (cache.Sync)
            {
                cache.Accept(blocks[^taken..]);
            }
        }

        return blocks[^1];
    }

    /// <summary>This thread's cache of a class; null when the heap keeps no blocks in threads.</summary>
    private BlockClassCache? CacheOf(int index)
    {
        if (!_keepsBlocks)
        {
            return null;
        }

        HeapSection section = _sections.FindOrAdd();
        BlockClassCache? cache = section.Classes[index];
        if (cache is null)
        {
            lock (section.Sync)
            {
                cache = section.Classes[index] ??= new BlockClassCache(section, _classes[index]);
            }
        }

        return cache;
    }

    /// <summary>As <see cref="CacheOf"/>; null also when there is no memory to make one: the block goes to its slab.</summary>
    private BlockClassCache? CacheIfPossible(int index)
    {
        try
        {
            return CacheOf(index);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>Without ticks, the time is what the clock says.</summary>
    private void ReadClock()
    {
        if (!Schedule.IsAwake)
        {
            _tickedAt = Schedule.Now;
        }
    }

    /// <summary>If something is kept from now on, of the budget or in the slabs just touched, the clock looks after it.</summary>
    private void Wake(BlockClass? touched = null)
    {
        if (!Schedule.IsAwake && (Budget.Granted > 0 || touched?.HasUndiscarded == true))
        {
            Schedule.Wake();
        }
    }
}
