namespace Tarn;

/// <summary>
/// The part of a <see cref="BufferPool{T}"/> behind its fast path: its size classes, its sections in the threads' caches, and its cap. It
/// is not generic, so it is compiled once for all element types.
/// </summary>
/// <remarks>
/// <para>A rent that misses takes buffers from its class's depot. Only if the depot is empty, the caller allocates. A return that finds no
/// room in its thread's cache moves the oldest buffers there to the depot. <see cref="ArrayClassCache"/> has the steps.</para>
/// <para>The cap: <see cref="Budget"/> grants room, and only granted room can be filled. Granted = the slots of all thread caches + the
/// places in all depots + the arrays kept at an exact length, in bytes. <see cref="Validate"/> checks it. When a return gets no room,
/// <see cref="RoomSearch"/> gives up buffers that were not used recently.</para>
/// <para>The bound: a class allocates only when its depot is empty. So the existing buffers are at most those in use and those in thread
/// caches at that moment, and <see cref="ThreadRoom"/> bounds what thread caches hold.
/// docs/design/bounded-memory.md has the argument.</para>
/// <para>Finalizers may still call a pool that is gone (<see cref="Retire"/>). Every rent then allocates, and every return drops its
/// buffer.</para>
/// </remarks>
internal sealed partial class PoolCore
{
    /// <summary>Threads keep no larger buffers: such a buffer is used for far longer than a visit to the depot takes.</summary>
    private const long MostKeptByThreads = 16 << 20;
    private const int KeptByThreadsCapDivisor = 32;

    private static int s_lastId;

    private readonly ArrayClass?[] _classes = new ArrayClass?[SizeClass.IndexCount];
    private readonly bool _lendsLonger;
    private readonly int _maxBuffersPerClass;
    private readonly int _shortestLength;

    private readonly OwnerSections<CacheSection, PoolThreads.Words> _sections = new(PoolThreads.Directory);

    /// <summary>The uses by threads without a section, until threads get one.</summary>
    private int _uses;

    internal PoolCore(BufferPoolOptions options, int elementSize, int eventId, bool hasThreadCaches = true)
    {
        Trimmer = new PoolTrimmer(this);
        EventId = eventId;
        ElementSize = elementSize;
        QuarterMask = SizeClass.QuarterMaskFor(options.SizeClassesPerDoubling);
        _shortestLength = options.SizeClassesPerDoubling == 4 ? 1 : 16;
        MaxLength = LengthOf(IndexOf(options.MaxArrayLength));
        Schedule = new TrimSchedule(Trimmer, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Id = Interlocked.Increment(ref s_lastId);
        Budget = new MemoryBudget(
            options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes, Schedule.Clock.Budget, options.MaxRetainedBytes is not null);
        ThreadRoom = new ThreadRoom(Budget);
        LargestKeptByThreads = hasThreadCaches ? Math.Min(MostKeptByThreads, Budget.Cap / KeptByThreadsCapDivisor) : -1;
        _lendsLonger = options.Budget is null;
        _maxBuffersPerClass = options.MaxArraysPerLength ?? int.MaxValue;
        Exact = new ExactLengths(this, _maxBuffersPerClass);
        _sections.Open();
    }

    /// <summary>A unique number, never 0.</summary>
    internal int Id { get; }

    /// <summary>The pool's place in every thread's directory; unique among the pools alive.</summary>
    internal int Index => _sections.Index;

    /// <summary>The number that identifies the pool in events.</summary>
    internal int EventId { get; }

    internal int ElementSize { get; }

    /// <summary>The length of the longest class. Longer arrays get exactly the requested length and are not kept.</summary>
    internal int MaxLength { get; }

    /// <summary>Gives up what the pool keeps. The clock and others hold it, weakly, for the pool.</summary>
    internal PoolTrimmer Trimmer { get; }

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>
    /// The part of the budget for thread caches. Room there belongs to one thread, and stays with it while its buffers are in use.
    /// </summary>
    internal ThreadRoom ThreadRoom { get; }

    /// <summary>The size of the largest buffers that threads keep, in bytes; -1 where they keep none.</summary>
    internal long LargestKeptByThreads { get; }

    /// <summary>The arrays whose lengths belong to no class.</summary>
    internal ExactLengths Exact { get; }

    internal PoolCounters Counters { get; } = new();

    /// <summary>The classes in use so far.</summary>
    internal IEnumerable<ArrayClass> Classes
    {
        get
        {
            for (int index = 0; index < _classes.Length; index++)
            {
                if (Find((uint)index) is { } pool)
                {
                    yield return pool;
                }
            }
        }
    }

    /// <summary>The mask that the fast path passes to <see cref="SizeClass.IndexOf"/>.</summary>
    internal uint QuarterMask { get; }

    /// <summary>The class that serves a request of <paramref name="length"/>, between 1 and <see cref="MaxLength"/>.</summary>
    /// <remarks>
    /// Pools with fewer classes begin at 16, as the BCL's do. Below 16 the fast path finds nothing and calls this method.
    /// </remarks>
    internal uint IndexOf(int length) =>
        SizeClass.IndexOf(Math.Max(length, _shortestLength), QuarterMask);

    /// <summary>The length of the class's arrays.</summary>
    internal int LengthOf(uint index) => SizeClass.LengthOf(index, QuarterMask);

    /// <summary>Whether a class has arrays of exactly this length, which is at least 1.</summary>
    internal bool IsClassLength(int length) => length <= MaxLength && LengthOf(IndexOf(length)) == length;

    /// <summary>
    /// Takes a free buffer for a request of the class and counts it as rented. Returns null if the caller must allocate one.
    /// </summary>
    /// <param name="index">The class.</param>
    internal Array? Take(uint index)
    {
        ArrayClass shared = ClassOf(index);
        CacheSection? section = shared.IsKeptByThreads ? SectionOfThread() : null;
        if (section is null)
        {
            Array? found = shared.Depot.TakeBypassing();
            if (found is not null || !shared.IsKeptByThreads || (section = JoinedSection()) is null)
            {
                return found ?? TakeLonger(shared, section: null, needsOwn: false);
            }
        }

        ArrayClassCache cache;
        using (section.Sync.Hold())
        {
            cache = section.ClassOf(shared);
        }

        return Take(cache);
    }

    /// <summary>As <see cref="Take(uint)"/>, where this thread has a cache of the class.</summary>
    internal Array? Take(ArrayClassCache cache)
    {
        if (cache.BypassesSection() && cache.Shared.Depot.TakeBypassing() is { } found)
        {
            return found;
        }

        Array? taken;
        bool needsOwn;
        using (cache.Section.Sync.Hold())
        {
            taken = cache.Take();
            needsOwn = taken is null && cache.NoteFoundNone();
        }

        return taken ?? TakeLonger(cache.Shared, cache.Section, needsOwn);
    }

    /// <summary>Keeps a buffer where this thread has a cache of the class. Returns false, with nothing changed, if it cannot.</summary>
    internal static bool TryGive(Array array, ArrayClassCache cache)
    {
        if (cache.BypassesSection())
        {
            return cache.Shared.Depot.TryPut(array, returns: 1) == Placing.Kept;
        }

        using (cache.Section.Sync.Hold())
        {
            return cache.TryGive(array) == Placing.Kept;
        }
    }

    /// <summary>Counts a buffer allocated for a rent of the class.</summary>
    internal void CountMade(uint index)
    {
        ArrayClass shared = ClassOf(index);
        shared.CountMade();
        if (!shared.IsKeptByThreads || FindSection() is not { } section)
        {
            shared.Depot.CountBypassing(rents: 1, returns: 0);
            return;
        }

        using (section.Sync.Hold())
        {
            section.ClassOf(shared).CountMade();
        }
    }

    /// <summary>Keeps a buffer of the class. Returns false if the cap leaves no room and the buffer is dropped.</summary>
    /// <exception cref="InvalidOperationException">The buffer is the one that would be handed out next; nothing has changed.</exception>
    internal bool Give(Array array, uint index)
    {
        (ArrayClass? shared, CacheSection? section) = PrepareGive(index);
        if (shared is null)
        {
            Counters.CountReturned(1, (long)array.Length * ElementSize);
            Counters.CountDropped();
            return false;
        }

        // Making room calls listeners, which may rent and return, so it does not run under this section's lock.
        bool isKept = TryGive(array, shared, section) || (Trimmer.MakeRoom(shared) && TryGive(array, shared, section));
        if (!isKept)
        {
            CountDropped(shared, section);
        }

        return isKept;
    }

    /// <summary>
    /// Returns the class, and this thread's section if it keeps the class. Without memory for a section, the return uses the depot alone.
    /// Without memory for the class, which only a foreign array needs, there is no class.
    /// </summary>
    private (ArrayClass? Shared, CacheSection? Section) PrepareGive(uint index)
    {
        ArrayClass? shared = Find(index);
        try
        {
            shared ??= ClassOf(index);
            CacheSection? section = shared.IsKeptByThreads ? SectionOfThread() : null;
            if (section is not null && section.Find(index) is null)
            {
                using (section.Sync.Hold())
                {
                    section.ClassOf(shared);
                }
            }

            return (shared, section);
        }
        catch (OutOfMemoryException)
        {
            return (shared, null);
        }
    }

    /// <summary>The class with the index.</summary>
    internal ArrayClass ClassOf(uint index)
    {
        ArrayClass? known = Find(index);
        if (known is null)
        {
            ArrayClass mine = new(this, index, _maxBuffersPerClass);
            known = Interlocked.CompareExchange(ref _classes[index], mine, null) ?? mine;
        }

        return known;
    }

    /// <summary>The class with the index, if it is in use.</summary>
    internal ArrayClass? Find(uint index) => Volatile.Read(ref _classes[index]);

    /// <summary>The sections of all threads that have one.</summary>
    internal CacheSection[] GetSections() => _sections.GetAll();

    /// <summary>Whether the cap leaves no room for one more free buffer of the class.</summary>
    private bool IsAtCap(ArrayClass shared) => Budget.Limit - Budget.Granted < shared.Bytes;

    /// <summary>This thread's section. Null if it has none yet or the pool is gone.</summary>
    private CacheSection? SectionOfThread()
    {
        if (FindSection() is { } section)
        {
            return section;
        }

        if (!_sections.IsClosed && PoolThreads.CountUse(ref _uses))
        {
            return AddSection();
        }

        ThreadRoom.NoteVisit();
        return null;
    }

    private CacheSection? FindSection() => IfMine(PoolThreads.Find(Index));

    private CacheSection? IfMine(CacheSection? section) => section is not null && section.Pool == this ? section : null;

    /// <summary>
    /// As <see cref="FindSection"/>, for a thread that joins the directory now. It may find the section of an ended thread.
    /// </summary>
    private CacheSection? JoinedSection() => IfMine(PoolThreads.Directory.Find(Index));

    private CacheSection? AddSection()
    {
        if (JoinedSection() is { } left)
        {
            return left;
        }

        CacheSection section = new(this);
        return _sections.TryAdd(section) ? section : null;
    }

    private static bool TryGive(Array array, ArrayClass shared, CacheSection? section)
    {
        Placing placing;
        if (section is null)
        {
            placing = shared.Depot.TryPut(array, returns: 1);
        }
        else
        {
            using (section.Sync.Hold())
            {
                placing = section.ClassOf(shared).TryGive(array);
            }
        }

        if (placing == Placing.ReturnedTwice)
        {
            PoolThrow.ReturnedTwice(array.Length);
        }

        return placing == Placing.Kept;
    }

    private static void CountDropped(ArrayClass shared, CacheSection? section)
    {
        shared.CountDropped();
        if (section is null)
        {
            shared.Depot.CountBypassing(rents: 0, returns: 1);
            return;
        }

        using (section.Sync.Hold())
        {
            section.ClassOf(shared).CountDropped();
        }
    }

    /// <summary>
    /// Takes a free buffer of a longer class, up to twice as long, from its depot: any at the cap, where a buffer allocated now could be
    /// kept only in place of an existing one, and otherwise one of many.
    /// </summary>
    /// <remarks>
    /// Classes are at their peaks at different times. If each allocated up to its own, a pool of mixed sizes would keep the sum of all
    /// peaks. A pool with a budget takes none: the budget pays for the whole array, and would refuse a request that fits.
    /// </remarks>
    private Array? TakeLonger(ArrayClass shared, CacheSection? section, bool needsOwn)
    {
        bool isAtCap = IsAtCap(shared);
        if (!_lendsLonger || (needsOwn && !isAtCap))
        {
            return null;
        }

        int length = shared.Length;
        while (length < MaxLength && length < shared.Length * 2L)
        {
            uint index = IndexOf(length + 1);
            length = LengthOf(index);
            if (Find(index) is { } longer && (isAtCap ? longer.Depot.Count > 0 : longer.Depot.HasMany)
                && TakeFrom(longer, section) is { } taken)
            {
                return taken;
            }
        }

        return null;
    }

    private static Array? TakeFrom(ArrayClass longer, CacheSection? section)
    {
        if (section is null || !longer.IsKeptByThreads)
        {
            return longer.Depot.TakeBypassing();
        }

        using (section.Sync.Hold())
        {
            // Created first, because a taken buffer must be counted.
            ArrayClassCache cache = section.ClassOf(longer);
            Array? taken = longer.Depot.Take(out _);
            if (taken is not null)
            {
                cache.CountMade();
            }

            return taken;
        }
    }
}
