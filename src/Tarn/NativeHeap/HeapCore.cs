namespace Tarn;

/// <summary>
/// What lies behind the fast path of a <see cref="NativeHeap"/>: the threads' slow side, the depots, slabs, large buffers, the cap.
/// </summary>
/// <remarks>
/// <para>A call that misses: previous magazine, then one with blocks from the depot, else one filled from the slabs. A free that finds no
/// room: a larger magazine while the class is young, else swap it with the empty previous one, else send the full previous one to the
/// depot; when the depot has enough, or the cap leaves no room, blocks go back to their slabs.</para>
/// <para>The cap: <see cref="Budget"/> grants room, and only room that was granted can be filled. What is granted = the grants of all
/// magazines + the open slots of large buffers + kept large buffers + idle granules, in bytes. <see cref="Validate()"/> checks it.</para>
/// <para>Locks, in the order they are taken: <see cref="HeapThread.Inheritance"/>, <see cref="_upkeep"/>, a section's, a depot's, a slab class's, the regions';
/// the large buffers' stands alone. Misuse is reported when none is held.</para>
/// </remarks>
internal sealed unsafe partial class HeapCore : ITrimmable
{
    private static readonly FreeIndices s_indices = new(first: 1);

    private readonly SlabClass[] _slabs = new SlabClass[BlockSizes.SlabClassCount];
    private readonly BlockDepot[] _depots = new BlockDepot[BlockSizes.SlabClassCount];
    private readonly RegionSet _regions;
    private readonly LargeBuffers _large;
    private readonly CommittedBytes _committed;
    private readonly RefusedBlocks _refused = new();

    /// <summary>Held while memory is taken from caches and slabs, so that the heap does not end meanwhile.</summary>
    private readonly Lock _upkeep = new();

    /// <summary>The time of the last tick: good enough to tell what lies idle, and free.</summary>
    private TimeSpan _tickedAt;

    internal HeapCore(NativeHeapOptions options, string name)
    {
        Memory = options.Memory ?? VirtualMemory.Current;
        Name = name;
        Schedule = new TrimSchedule(this, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Index = s_indices.Take();
        Budget = new MemoryBudget(options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes);
        _committed = new CommittedBytes(options.AddMemoryPressure);
        _regions = new RegionSet(Memory, Budget, _committed);
        _large = new LargeBuffers(Memory, Budget, _committed);
        for (int index = 0; index < _slabs.Length; index++)
        {
            _slabs[index] = new SlabClass(index, _regions, _refused);
            _depots[index] = new BlockDepot();
        }
    }

    /// <summary>The heap's name in reports.</summary>
    internal string Name { get; }

    /// <summary>The heap's place in every thread's directory; unique among the heaps alive.</summary>
    internal int Index { get; }

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>The operating system's memory.</summary>
    internal VirtualMemory Memory { get; }

    /// <summary>Set under the lock that sections are made under: none is made for this heap any more.</summary>
    internal bool IsRetired { get; set; }

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

    /// <summary>Hands out a block of a slab class; 0 when the system refuses memory.</summary>
    private nint Take(int index)
    {
        ReadClock();
        nint block = TakeOnce(index);
        if (block == 0)
        {
            MakeRoomInSystem();
            block = TakeOnce(index);
        }

        Wake(_slabs[index]);
        return block;
    }

    /// <summary>Takes a block of a slab class back.</summary>
    private void Give(nint block, int index)
    {
        ReadClock();
        HeapSection section = HeapThread.Current.SectionOf(this);
        lock (section.Sync)
        {
            BlockClassCache cache = CacheOf(section, index);
            Unpark(cache);
            if (_slabs[index].IsSparse(Budget.Limit))
            {
                EmptyClass(cache);
            }

            if (cache.Loaded?.TryPush(block) != true && !(TryMakeRoom(cache) && cache.Loaded!.TryPush(block)))
            {
                _slabs[index].Give([block], _tickedAt);
            }
        }

        Wake(_slabs[index]);
        _refused.Report(Name);
    }

    /// <summary>The heap is gone: no thread reaches its memory any more, and all of it goes back to the system.</summary>
    internal void Retire()
    {
        lock (HeapThread.Inheritance)
        {
            lock (_upkeep)
            {
                HeapCount last = CountNow();
                _lastCount = new HeapCount(last.Rented, last.Allocated, 0, 0, 0, 0, 0, []);
                HeapThread.Detach(this);
                _regions.ReleaseAll();
                _large.ReleaseAll();
            }
        }

        s_indices.GiveBack(Index);
    }

    /// <summary>The class of the block that begins at <paramref name="block"/>; -1 when it is not one in a slab of this heap.</summary>
    internal int FindClass(nint block) =>
        _regions.FindSlab(block) is { } slab && slab.Owner.IndexOf(block - slab.Start) >= 0 ? slab.Owner.Index : -1;

    private nint TakeOnce(int index)
    {
        HeapSection section = HeapThread.Current.SectionOf(this);
        lock (section.Sync)
        {
            BlockClassCache cache = CacheOf(section, index);
            Unpark(cache);
            nint block = cache.Loaded?.TryPop() ?? 0;
            if (block == 0 && TryRefill(cache))
            {
                block = cache.Loaded!.TryPop();
            }

            return block != 0 ? block : TakeOne(cache);
        }
    }

    private static BlockClassCache CacheOf(HeapSection section, int index) => section.Classes[index] ??= new BlockClassCache(section, index);

    /// <summary>A block without a magazine to keep others in.</summary>
    private nint TakeOne(BlockClassCache cache)
    {
        nint block = 0;
        if (_slabs[cache.Index].Take(new Span<nint>(ref block), _tickedAt) == 0)
        {
            return 0;
        }

        cache.Rented++;
        return block;
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
    private void Wake(SlabClass? touched = null)
    {
        if (!Schedule.IsAwake && (Budget.Granted > 0 || touched?.HasUndiscarded == true))
        {
            Schedule.Wake();
        }
    }
}
