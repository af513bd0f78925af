namespace Tarn.Native;

/// <summary>
/// The engine behind the fast path of a <see cref="NativeHeap"/>: the threads' slow side, the depots, slabs, large buffers and the cap.
/// </summary>
/// <remarks>
/// <para>An allocation that misses tries the depot, the slabs, and at last a new slab. A free without room gets twice as much, or hands
/// blocks over to the depot. When the depot has enough, or the cap leaves no room, blocks go back to their slabs.
/// <see cref="BlockClassCache"/> takes these steps on a thread's side, <see cref="BlockClass"/> on the shared side.</para>
/// <para>The cap: <see cref="Budget"/> covers what each class keeps (<see cref="BlockClass"/>) + kept
/// large buffers + idle granules, in bytes. <see cref="HeapCap"/> keeps it, <see cref="HeapAccounts"/> checks it.</para>
/// <para>Locks, in the order they are taken: <see cref="HeapThreads.Inheritance"/>, <see cref="Upkeep"/>, that of the list of sections, a
/// section's, a class's, the regions', and the large buffers'. None is held during a call to the system for memory: memory to be returned
/// is taken out of reach under the locks and returned after they are released. Misuse is reported while none is held.</para>
/// </remarks>
internal sealed unsafe partial class HeapCore
{
    private readonly bool _keepsBlocks;
    private readonly long? _mostBlockBytes;

    /// <summary>Set when the heap ends.</summary>
    private HeapCount? _lastCount;

    /// <param name="options">The heap's options.</param>
    /// <param name="name">The heap's name in reports.</param>
    /// <param name="keepsBlocks">Whether threads keep blocks for reuse, which gains nothing when checks examine every block.</param>
    internal HeapCore(NativeHeapOptions options, string name, bool keepsBlocks)
    {
        _keepsBlocks = keepsBlocks;
        _mostBlockBytes = options.MaxBlockBytes;
        Memory = options.Memory ?? VirtualMemory.Current;
        Name = name;
        _ = HeapThrow.OutOfMemory(0, name);
        Trimmer = new HeapTrimmer(this);
        Schedule = new TrimSchedule(Trimmer, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Budget = new MemoryBudget(
            options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes, Schedule.Clock.Budget, options.MaxRetainedBytes is not null);
        ThreadRoom = new ThreadRoom(Budget);
        CommittedBytes committed = new(options.AddMemoryPressure);
        Regions = new RegionSet(Memory, Budget, committed);
        Large = new LargeBuffers(Memory, Budget, committed);
        for (int index = 0; index < Classes.Length; index++)
        {
            Classes[index] = new BlockClass(index, Regions, Budget, ThreadRoom, Refused, Memory);
        }

        Cap = new HeapCap(Classes, Regions, Large, Budget, Sections, Schedule, Upkeep);
        Accounts = new HeapAccounts(Classes, Regions, Large, committed, Budget, ThreadRoom, Sections);
        Sections.Open();
    }

    /// <summary>The size classes whose blocks lie in slabs.</summary>
    internal BlockClass[] Classes { get; } = new BlockClass[BlockSizes.SlabClassCount];

    internal RegionSet Regions { get; }

    internal LargeBuffers Large { get; }

    internal RefusedBlocks Refused { get; } = new();

    /// <summary>The threads' sections.</summary>
    internal OwnerSections<HeapSection, HeapThreads.Words> Sections { get; } = new(HeapThreads.Directory);

    internal HeapCap Cap { get; }

    internal HeapAccounts Accounts { get; }

    internal HeapTrimmer Trimmer { get; }

    /// <summary>Held while memory is taken from caches and slabs, so that the heap does not end in between.</summary>
    internal Lock Upkeep { get; } = new();

    /// <summary>The time of the last tick: precise enough to find idle memory, and free to read.</summary>
    internal TimeSpan TickedAt { get; set; }

    /// <summary>The heap's name in reports.</summary>
    internal string Name { get; }

    /// <summary>The heap's place in every thread's directory; unique among the heaps alive.</summary>
    internal int Index => Sections.Index;

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>What threads keep.</summary>
    internal ThreadRoom ThreadRoom { get; }

    /// <summary>Bytes that the system guarantees.</summary>
    internal long CommittedBytes => Accounts.CommittedBytes;

    /// <summary>The operating system's memory.</summary>
    internal VirtualMemory Memory { get; }

    /// <summary>Whether the heap has retired: no thread makes a section for it any more.</summary>
    internal bool IsRetired => Sections.IsClosed;

    /// <summary>
    /// Hands out a block of any size except 0. If there is no memory, every source of the process gives up what it keeps idle, and the call
    /// tries once more. Then it returns 0 if the system refuses, and throws if the garbage collector does.
    /// </summary>
    internal nint Allocate(nuint size, out bool isZero)
    {
        try
        {
            nint block = AllocateOnce(size, out isZero);
            if (block != 0 || !TryGiveUpAll(size))
            {
                return block;
            }
        }
        catch (OutOfMemoryException)
        {
            if (!TryGiveUpAll(size))
            {
                throw;
            }
        }

        return AllocateOnce(size, out isZero);
    }

    private bool TryGiveUpAll(nuint size) => Schedule.Clock.Relief.TryGiveUpAll((long)Math.Min(size, long.MaxValue));

    private nint AllocateOnce(nuint size, out bool isZero)
    {
        isZero = false;
        return size > BlockSizes.LargestSlabSize ? TakeLarge(size, out isZero) : Take((int)BlockSizes.IndexOf(size));
    }

    /// <summary>
    /// Takes a block back. Returns false and changes nothing if it can tell that no block of that size is out at the address.
    /// </summary>
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

    /// <summary>Notes that a block that is out enters a quarantine, and so is temporarily not in use, or leaves it.</summary>
    internal void SetQuarantined(nint block, nuint size, bool isQuarantined)
    {
        if (size <= BlockSizes.LargestSlabSize)
        {
            Classes[(int)BlockSizes.IndexOf(size)].SetQuarantined(block, isQuarantined);
        }
        else
        {
            long bytes = isQuarantined ? (long)size : -(long)size;
            Interlocked.Add(ref Accounts.QuarantinedLargeBytes, bytes);
            Budget.Release(-bytes);
        }

        if (isQuarantined)
        {
            Cap.EvictSurplus();
        }
    }

    /// <summary>
    /// Ends the heap: no thread reaches its memory any more, and all of it goes back to the system. If a call throws for want of managed
    /// memory, another one goes on where it ended.
    /// </summary>
    internal void Retire()
    {
        using (HeapThreads.Inheritance.Hold())
        {
            using (Upkeep.Hold())
            {
                if (_lastCount is null)
                {
                    HeapCount last = Accounts.Count();
                    _lastCount = new HeapCount(last.Rented, last.Allocated, 0, 0, 0, 0, 0, []);
                }

                Sections.Close();
                foreach (HeapSection section in Sections.GetAll())
                {
                    section.Heap = null;
                }

                Regions.Close();
                Large.Close();
            }
        }

        Regions.ReleaseAll();
        Large.ReleaseAll();
        Budget.Leave();
    }

    /// <summary>Every thread's section, including those of ended threads that no sweep has found yet.</summary>
    internal HeapSection[] GetSections() => Sections.GetAll();

    /// <summary>This thread's section; null when it has none.</summary>
    internal HeapSection? FindSection() => HeapThreads.Directory.Find(Index) is { } section && section.Heap == this ? section : null;

    /// <summary>
    /// The class of the block that begins at <paramref name="block"/>; -1 when no block in this heap's slabs begins there.
    /// </summary>
    internal int FindClass(nint block) =>
        Regions.FindSlab(block) is { } slab && slab.Owner.IndexOf(block - slab.Start) >= 0 ? slab.Owner.Index : -1;

    /// <summary>Hands out a block of a slab class; 0 when the system refuses memory.</summary>
    private nint Take(int index)
    {
        ReadClock();
        BlockClassCache? cache = CacheOf(index);
        BlockClass shared = Classes[index];
        nint block = TakeOnce(shared, cache);
        if (block == 0)
        {
            Cap.MakeRoomInSystem();
            block = TakeOnce(shared, cache);
        }

        Cap.KeepWithin(shared, cache, TickedAt);
        Wake(shared);
        return block;
    }

    /// <summary>Takes a block of a slab class back.</summary>
    private void Give(nint block, int index)
    {
        ReadClock();
        BlockClassCache? cache = CacheIfPossible(index);
        BlockClass shared = Classes[index];
        if (cache is null)
        {
            shared.GiveToSlabs([block], TickedAt);
        }
        else if (cache.BypassesSection())
        {
            shared.GiveToDepot([block], TickedAt);
        }
        else
        {
            using (cache.Sync.Hold())
            {
                cache.Give(block, TickedAt);
            }
        }

        Cap.KeepWithin(shared, cache, TickedAt);
        Wake(shared);
        Refused.Report(Name);
    }

    private nint TakeOnce(BlockClass shared, BlockClassCache? cache)
    {
        nint block;
        int batch = 1;
        if (cache is null)
        {
            block = 0;
            shared.Take(new Span<nint>(ref block));
            Interlocked.Add(ref Accounts.RentedDirectly, block != 0 ? 1 : 0);
        }
        else if (cache.BypassesSection())
        {
            block = cache.TakeBypassing();
        }
        else
        {
            using (cache.Sync.Hold())
            {
                block = cache.TryTake();
                batch = Math.Max(1, cache.Room);
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
            Interlocked.Increment(ref Accounts.RentedDirectly);
        }
        else
        {
            using (cache.Sync.Hold())
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

        HeapSection section = FindSection() ?? AddSection();
        BlockClassCache? cache = section.Classes[index];
        if (cache is null)
        {
            using (section.Sync.Hold())
            {
                cache = section.Classes[index] ??= new BlockClassCache(section, Classes[index]);
            }
        }

        return cache;
    }

    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    private HeapSection AddSection()
    {
        HeapSection section = new(this);
        ObjectDisposedException.ThrowIf(!Sections.TryAdd(section), typeof(NativeHeap));
        return section;
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

    /// <summary>Reads the clock when there are no ticks.</summary>
    private void ReadClock()
    {
        if (!Schedule.IsAwake)
        {
            TickedAt = Schedule.Now;
        }
    }

    /// <summary>Wakes the clock if the budget now covers something, or the slabs just touched have memory to discard.</summary>
    private void Wake(BlockClass? touched = null)
    {
        if (!Schedule.IsAwake && (Budget.Granted > 0 || touched?.HasUndiscarded == true))
        {
            Schedule.Wake();
        }
    }
}
