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
/// caches at that moment, and a thread's cache holds at most 512 KiB beyond the need that its own work has shown (<see cref="RoomLimit"/>).
/// docs/design/bounded-memory.md has the argument.</para>
/// <para>Finalizers may still call a pool that is gone (<see cref="Retire"/>). Every rent then allocates, and every return drops its
/// buffer.</para>
/// </remarks>
internal sealed partial class PoolCore : ITrimmable
{
    /// <summary>The uses after which a thread gets a section. Until then it uses the depots alone, because a section costs more.</summary>
    private const int UsesBeforeSection = 4;

    /// <summary>The divisor of the cap that gives the thread caches' share of it.</summary>
    private const int SlotsShareOfCap = 2;

    private static int s_lastId;

    private readonly ArrayClass?[] _classes = new ArrayClass?[SizeClass.IndexCount];
    private readonly RoomSearch _room;
    private readonly int _maxBuffersPerClass;
    private readonly int _shortestLength;
    private readonly bool _hasThreadCaches;

    /// <summary>Guards the two fields below.</summary>
    private readonly Lock _sectionsLock = new();
    private readonly List<CacheSection> _sections = [];
    private bool _isRetired;

    /// <summary>Whether the index was given back. For the finalizer.</summary>
    private bool _isDetached;

    internal PoolCore(BufferPoolOptions options, int elementSize, int eventId)
    {
        EventId = eventId;
        ElementSize = elementSize;
        QuarterMask = SizeClass.QuarterMaskFor(options.SizeClassesPerDoubling);
        _shortestLength = options.SizeClassesPerDoubling == 4 ? 1 : 16;
        MaxLength = LengthOf(IndexOf(options.MaxArrayLength));
        Schedule = new TrimSchedule(this, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Id = Interlocked.Increment(ref s_lastId);
        Index = PoolThreads.Directory.TakeIndex();
        Budget = new MemoryBudget(
            options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes, Schedule.Clock.Budget, options.MaxRetainedBytes is not null);
        Slots = new MemoryBudget(Budget.Cap / SlotsShareOfCap);
        _maxBuffersPerClass = options.MaxArraysPerLength ?? int.MaxValue;
        _hasThreadCaches = options.ThreadCaches;
        Exact = new ExactLengths(this, _maxBuffersPerClass);
        _room = new RoomSearch(this);
    }

    /// <summary>A unique number, never 0.</summary>
    internal int Id { get; }

    /// <summary>The pool's place in every thread's directory; unique among the pools alive.</summary>
    internal int Index { get; }

    /// <summary>The number that identifies the pool in events.</summary>
    internal int EventId { get; }

    internal int ElementSize { get; }

    /// <summary>The length of the longest class. Longer arrays get exactly the requested length and are not kept.</summary>
    internal int MaxLength { get; }

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>
    /// The part of the budget for thread caches. Room there belongs to one thread, and stays with it while its buffers are in use.
    /// </summary>
    internal MemoryBudget Slots { get; }

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
    /// <param name="forget">Whether to leave no stale reference, which would keep a leaked buffer alive and hide the leak.</param>
    internal Array? Take(uint index, bool forget)
    {
        ArrayClass pool = ClassOf(index);
        if (SectionOfThread() is not { } section)
        {
            Array? shared = TakeWithoutSection(pool);
            if (shared is not null || JoinedSection() is not { } left)
            {
                return shared;
            }

            section = left;
        }

        if (section.Find(index) is { KeepsNothing: true } known)
        {
            return known.TakePast() ?? (IsAtCap(pool) ? TakeLonger(section, pool, forget) : null);
        }

        using (section.Sync.Hold())
        {
            Array? taken = section.ClassOf(pool).Take(forget);
            if (taken is not null)
            {
                return taken;
            }
        }

        return IsAtCap(pool) ? TakeLonger(section, pool, forget) : null;
    }

    /// <summary>Counts a buffer allocated for a rent of the class.</summary>
    internal void CountMade(uint index)
    {
        ArrayClass pool = ClassOf(index);
        pool.CountMade();
        if (FindSection() is { } section)
        {
            using (section.Sync.Hold())
            {
                section.ClassOf(pool).CountMade();
            }
        }
        else
        {
            Counters.CountRented(1, pool.Bytes);
        }
    }

    /// <summary>Keeps a buffer of the class. Returns false if the cap leaves no room and the buffer is dropped.</summary>
    /// <exception cref="InvalidOperationException">The buffer is the one that would be handed out next; nothing has changed.</exception>
    internal bool Give(Array array, uint index)
    {
        ArrayClass? pool = Find(index);
        CacheSection? section = FindSection();
        if (pool is null || section?.Find(index) is null)
        {
            (pool, section) = PrepareGive(index);
        }

        if (pool is null)
        {
            Counters.CountReturned(1, (long)array.Length * ElementSize);
            Counters.CountDropped();
            return false;
        }

        // Making room takes other sections' locks and calls listeners, which may rent and return, so it does not run under this section's
        // lock.
        bool isKept = TryGive(array, pool, section) || (_room.Make(pool, section) && TryGive(array, pool, section));
        if (!isKept)
        {
            pool.CountDropped();
        }

        if (section is null)
        {
            Counters.CountReturned(1, pool.Bytes);
        }
        else if (!isKept)
        {
            CountDropped(pool, section);
        }

        return isKept;
    }

    /// <summary>
    /// Returns the class, and this thread's section if it keeps the class. Without memory for a section, the return uses the depot alone.
    /// Without memory for the class, which only a foreign array needs, there is no class.
    /// </summary>
    private (ArrayClass? Pool, CacheSection? Section) PrepareGive(uint index)
    {
        ArrayClass? pool = Find(index);
        try
        {
            pool ??= ClassOf(index);
            CacheSection? section = SectionOfThread();
            if (section is not null && section.Find(index) is null)
            {
                using (section.Sync.Hold())
                {
                    section.ClassOf(pool);
                }
            }

            return (pool, section);
        }
        catch (OutOfMemoryException)
        {
            return (pool, null);
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
    internal CacheSection[] GetSections()
    {
        using (_sectionsLock.Hold())
        {
            return [.. _sections];
        }
    }

    /// <summary>Whether the cap leaves no room for one more free buffer of the class.</summary>
    private bool IsAtCap(ArrayClass pool) => Budget.Limit - Budget.Granted < pool.Bytes;

    /// <summary>This thread's section. Null if it has none yet, the pool is gone, or threads keep nothing.</summary>
    private CacheSection? SectionOfThread() => FindSection() ?? (IsSectionDue() ? AddSection() : null);

    private CacheSection? FindSection() => IfMine(PoolThreads.Find(Index));

    private CacheSection? IfMine(CacheSection? section) => section is not null && section.Pool == this ? section : null;

    private bool IsSectionDue() =>
        _hasThreadCaches && !Volatile.Read(ref _isRetired) && PoolThreads.CountUse(Index) >= UsesBeforeSection;

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
        using (_sectionsLock.Hold())
        {
            if (_isRetired)
            {
                return null;
            }

            // Both or none: a retiring pool moves each known section out of its thread's reach.
            _sections.EnsureCapacity(_sections.Count + 1);
            PoolThreads.Directory.Add(Index, section);
            _sections.Add(section);
            return section;
        }
    }

    private static bool TryGive(Array array, ArrayClass pool, CacheSection? section)
    {
        Placing placing = section is null ? pool.Depot.TryPut(array, visitor: 0, out _) : TryPlace(array, pool, section);
        if (placing == Placing.ReturnedTwice)
        {
            PoolThrow.ReturnedTwice(array.Length);
        }

        return placing == Placing.Kept;
    }

    private static Placing TryPlace(Array array, ArrayClass pool, CacheSection section)
    {
        Placing placing = section.Find(pool.Index) is { KeepsNothing: true } known ? known.TryGivePast(array) : Placing.NoRoom;
        if (placing == Placing.NoRoom)
        {
            using (section.Sync.Hold())
            {
                placing = section.ClassOf(pool).TryGive(array);
            }
        }

        return placing;
    }

    private static void CountDropped(ArrayClass pool, CacheSection section)
    {
        using (section.Sync.Hold())
        {
            section.ClassOf(pool).CountDropped();
        }
    }

    private Array? TakeWithoutSection(ArrayClass pool)
    {
        Array? array = pool.Depot.Take(visitor: 0, out _);
        if (array is not null)
        {
            Counters.CountRented(1, pool.Bytes);
        }

        return array;
    }

    /// <summary>
    /// Takes a free buffer of a longer class, up to twice as long. At the cap, a buffer allocated now could be kept only in place of an
    /// existing one.
    /// </summary>
    private Array? TakeLonger(CacheSection section, ArrayClass pool, bool forget)
    {
        using (section.Sync.Hold())
        {
            int length = pool.Length;
            while (length < MaxLength && length < pool.Length * 2L)
            {
                uint index = IndexOf(length + 1);
                length = LengthOf(index);
                if (Find(index) is not { } longer)
                {
                    continue;
                }

                if (section.Find(index)?.TakeSpare(forget) is { } spare)
                {
                    return spare;
                }

                if (longer.Depot.Count > 0)
                {
                    // Created first, because a taken buffer must be counted.
                    ArrayClassCache cache = section.ClassOf(longer);
                    if (longer.Depot.Take(section.Id, out _) is { } taken)
                    {
                        cache.CountMade();
                        return taken;
                    }
                }
            }
        }

        return null;
    }
}
