using System.Diagnostics;

namespace Tarn;

/// <summary>
/// What lies behind the fast path of a <see cref="BufferPool{T}"/>: the thread caches' slow side, the depots, the cap. It is not
/// generic, so it is compiled once for all element types.
/// </summary>
/// <remarks>
/// <para>A rent that misses: previous magazine, then a full one from the depot, else the caller allocates. A return that finds no room:
/// grow the loaded magazine to the class's capacity, swap it with an empty previous one, send the full previous one to the depot, and
/// when the cap refuses, give up the depot's oldest magazines; if that is not enough the buffer is dropped.</para>
/// <para>The cap: <see cref="Budget"/> grants room, and only room that was granted can be filled. With the equations of
/// <see cref="ClassState"/>, granted = the reserved slots of all thread caches + the buffers in all depots + the arrays kept at an
/// exact length, in bytes. <see cref="Validate"/> checks it.</para>
/// </remarks>
internal sealed partial class PoolCore : ITrimmable
{
    /// <summary>A magazine holds at most this many buffers, and at most this many bytes unless that is less than one buffer.</summary>
    private const int MaxMagazineCapacity = 64;

    private const long MaxMagazineBytes = 8 << 20;

    /// <summary>However long buffers may lie idle, scarce memory is noticed within this time.</summary>
    private static readonly TimeSpan s_longestTickPeriod = TimeSpan.FromMinutes(1);

    private readonly Depot?[] _depots = new Depot?[SizeClass.IndexCount];
    private readonly MemoryBudget?[]? _classBudgets;
    private readonly int _maxBuffersPerClass;
    private readonly uint _quarterMask;
    private readonly int _shortestLength;
    private readonly long _cap;
    private int _awake;

    internal PoolCore(BufferPoolOptions options, int elementSize, int maxBuffersPerClass, TrimClock clock)
    {
        ElementSize = elementSize;
        _quarterMask = SizeClass.QuarterMaskFor(options.SizeClassesPerDoubling);
        _shortestLength = options.SizeClassesPerDoubling == 4 ? 1 : 16;
        MaxLength = LengthOf(IndexOf(options.MaxArrayLength));
        IdleTimeout = options.IdleTimeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : options.IdleTimeout;
        Clock = clock;
        Index = PoolIndices.Take();
        Exact = new ExactLengths(this);
        _cap = options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes;
        Budget = new MemoryBudget(_cap);
        _maxBuffersPerClass = maxBuffersPerClass;
        _classBudgets = maxBuffersPerClass == int.MaxValue ? null : new MemoryBudget?[SizeClass.IndexCount];
    }

    /// <summary>The pool's place in every thread's directory; unique among the pools alive.</summary>
    internal int Index { get; }

    internal int ElementSize { get; }

    /// <summary>The longest class's length: longer arrays are made exactly as asked and not kept.</summary>
    internal int MaxLength { get; }

    /// <summary>The option's value; where that is infinite, longer than any time that can pass.</summary>
    internal TimeSpan IdleTimeout { get; }

    internal TrimClock Clock { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>Arrays of lengths that are no class's.</summary>
    internal ExactLengths Exact { get; }

    internal PoolCounters Counters { get; } = new();

    /// <summary>What the fast path gives to <see cref="SizeClass.IndexOf"/>.</summary>
    internal uint QuarterMask => _quarterMask;

    /// <inheritdoc/>
    public TimeSpan TickPeriod => IdleTimeout / 4 < s_longestTickPeriod ? IdleTimeout / 4 : s_longestTickPeriod;

    /// <summary>The class that serves a request of <paramref name="length"/>, between 1 and <see cref="MaxLength"/>.</summary>
    /// <remarks>Pools with fewer classes begin at 16, as the BCL's do; the fast path finds nothing below and comes here.</remarks>
    internal uint IndexOf(int length) =>
        SizeClass.IndexOf(Math.Max(length, _shortestLength), _quarterMask);

    /// <summary>The length of the class's arrays.</summary>
    internal int LengthOf(uint index) => SizeClass.LengthOf(index, _quarterMask);

    /// <summary>Takes a free buffer of the class on this thread, or null: then the caller makes one, which is counted already.</summary>
    internal Array? Take(uint index)
    {
        CacheSection section = ThreadCache.Current.SectionOf(this);
        ref CacheEntry entry = ref section.Entries[index];
        lock (section.Sync)
        {
            ClassState state = StateOf(section, ref entry, index);
            entry.Rented++;
            if (entry.IsTopFree == 0 && entry.Count == 0 && !TryRefill(ref entry, state))
            {
                state.Outflow--;
                return null;
            }

            if (entry.IsTopFree != 0)
            {
                entry.IsTopFree = 0;
                return entry.Top;
            }

            entry.Count--;
            entry.LowCount = Math.Min(entry.LowCount, entry.Count);
            return entry.Items[entry.Count].Value;
        }
    }

    /// <summary>Takes a rent back whose buffer could not be made.</summary>
    internal void ForgetTake(uint index)
    {
        CacheSection section = ThreadCache.Current.SectionOf(this);
        ref CacheEntry entry = ref section.Entries[index];
        lock (section.Sync)
        {
            StateOf(section, ref entry, index).Outflow++;
            entry.Rented--;
        }
    }

    /// <summary>Keeps a buffer of the class on this thread; false when the cap leaves no room and the buffer is dropped.</summary>
    internal bool Give(Array array, uint index)
    {
        CacheSection section = ThreadCache.Current.SectionOf(this);
        ref CacheEntry entry = ref section.Entries[index];
        lock (section.Sync)
        {
            ClassState state = StateOf(section, ref entry, index);
            if (entry.IsTopFree != 0 && entry.Top == array)
            {
                Throw.ReturnedTwice(array.Length);
            }

            if (!state.TopReserved && !TryReserveOrEvict(index, state.Bytes))
            {
                state.Outflow++;
                return false;
            }

            state.TopReserved = true;
            if (entry.IsTopFree == 0)
            {
                entry.Top = array;
                entry.IsTopFree = 1;
                return true;
            }

            if (entry.Count == entry.Items.Length && !TryMakeRoom(ref entry, state))
            {
                state.Outflow++;
                return false;
            }

            entry.Items[entry.Count].Value = array;
            entry.Count++;
            return true;
        }
    }

    /// <summary>Refills an empty loaded magazine, and the top slot where that has no room yet.</summary>
    private bool TryRefill(ref CacheEntry entry, ClassState state)
    {
        entry.LowCount = 0;
        ArrayReference[] empty = entry.Items;
        if (state.PreviousCount > 0)
        {
            entry.Items = state.Previous;
            entry.Count = state.PreviousCount;
            state.Previous = empty;
            state.PreviousCount = 0;
            state.PreviousLowCount = 0;
            return true;
        }

        ArrayReference[]? full = _depots[state.Index]?.TakeFull();
        if (full is null)
        {
            return false;
        }

        if (state.Previous.Length == 0)
        {
            state.Previous = empty;
        }
        else
        {
            GiveEmpty(state, empty);
        }

        state.Outflow -= full.Length;
        if (!state.TopReserved)
        {
            // This thread has returned nothing yet, and a magazine has room only beside a reserved top slot: one buffer moves there,
            // with its share.
            entry.Top = full[^1].Value;
            entry.IsTopFree = 1;
            state.TopReserved = true;
            full = full[..^1];
        }

        entry.Items = full;
        entry.Count = full.Length;
        return true;
    }

    /// <summary>Makes room in a full loaded magazine.</summary>
    private bool TryMakeRoom(ref CacheEntry entry, ClassState state)
    {
        int capacity = CapacityOf(state.Bytes);
        ArrayReference[] full = entry.Items;
        if (full.Length < capacity)
        {
            // A class grows its magazine as deep as the thread really goes, so that little is reserved for a thread that uses one buffer.
            int wanted = Math.Min(capacity, Math.Max(2, full.Length * 2)) - full.Length;
            if (ReserveSlots(state, wanted, extending: full) is not { } larger)
            {
                return false;
            }

            full.CopyTo(larger, 0);
            entry.Items = larger;
            return true;
        }

        if (state.PreviousCount == 0 && state.Previous.Length > 0)
        {
            entry.Items = state.Previous;
        }
        else
        {
            if (ReserveSlots(state, capacity, extending: []) is not { } empty)
            {
                return false;
            }

            if (state.PreviousCount > 0)
            {
                state.Outflow += state.PreviousCount;
                DepotOf(state.Index).AddFull(state.Previous, Clock.Now);
            }

            entry.Items = empty;
        }

        state.Previous = full;
        state.PreviousCount = full.Length;
        entry.Count = 0;
        entry.LowCount = 0;
        return true;
    }

    /// <summary>Gives an empty magazine to the depot and its share back to the budget.</summary>
    private void GiveEmpty(ClassState state, ArrayReference[] magazine)
    {
        Release(state.Index, magazine.Length * state.Bytes);
        if (magazine.Length == CapacityOf(state.Bytes))
        {
            // Stale references must not keep buffers alive that nobody accounts for.
            Array.Clear(magazine);
            DepotOf(state.Index).AddEmpty(magazine);
        }
    }

    /// <summary>The class's state in this section, with what trimmers did since the owner last came here taken into account.</summary>
    private ClassState StateOf(CacheSection section, ref CacheEntry entry, uint index)
    {
        ClassState? state = section.States[index];
        if (state is null)
        {
            int length = LengthOf(index);
            state = new ClassState(index, length, (long)length * ElementSize) { ActiveAt = Clock.Now, WatchedSince = Clock.Now };
            entry = new CacheEntry { Items = CacheSection.Revoked, Length = length, Pool = Index };
            section.States[index] = state;
        }

        if (entry.Count > entry.Items.Length)
        {
            state.Outflow += entry.Count;
            entry.Count = 0;
            entry.LowCount = 0;
        }

        if (entry.IsTopFree != 0 && entry.Top is null)
        {
            state.Outflow++;
            entry.IsTopFree = 0;
        }

        Debug.Assert(entry.Items.Length == 0 || state.TopReserved, "a magazine has room only beside a reserved top slot");
        return state;
    }

    private Depot DepotOf(uint index)
    {
        Depot? depot = Volatile.Read(ref _depots[index]);
        if (depot is null)
        {
            Depot mine = new();
            depot = Interlocked.CompareExchange(ref _depots[index], mine, null) ?? mine;
        }

        return depot;
    }

    private int CapacityOf(long bytes) =>
        (int)Math.Clamp(MaxMagazineBytes / bytes, 1, Math.Min(MaxMagazineCapacity, _maxBuffersPerClass));

    /// <summary>
    /// A magazine with room for <paramref name="extending"/> and as many more as the cap allows: all that are wanted, half of them, a
    /// quarter … or null for none.
    /// </summary>
    private ArrayReference[]? ReserveSlots(ClassState state, int wanted, ArrayReference[] extending)
    {
        // A magazine that is evicted takes a full one's worth of buffers along: as long as there is any room, a smaller one is better.
        int room = wanted;
        while (room > 0 && !TryReserve(state.Index, room * state.Bytes))
        {
            room /= 2;
        }

        if (room > 0)
        {
            wanted = room;
            WakeClock();
        }

        while (room == 0 && wanted > 0 && !TryReserveOrEvict(state.Index, wanted * state.Bytes))
        {
            wanted /= 2;
        }

        if (wanted == 0)
        {
            return null;
        }

        try
        {
            return wanted == CapacityOf(state.Bytes)
                ? DepotOf(state.Index).TakeEmpty(wanted)
                : new ArrayReference[extending.Length + wanted];
        }
        catch (OutOfMemoryException)
        {
            Release(state.Index, wanted * state.Bytes);
            return null;
        }
    }

    private bool TryReserveOrEvict(uint index, long bytes)
    {
        if (!TryReserve(index, bytes))
        {
            // Where only the class is at its limit, buffers of other classes are no help.
            bool classIsFull = ClassBudgetOf(index) is { } budget && bytes > budget.Limit - budget.Granted;
            bool evicted = classIsFull ? EvictDepot((int)index, bytes) >= bytes : EvictDepots(bytes);
            if (!evicted || !TryReserve(index, bytes))
            {
                return false;
            }
        }

        WakeClock();
        return true;
    }

    private bool TryReserve(uint index, long bytes)
    {
        MemoryBudget? classBudget = ClassBudgetOf(index);
        if (classBudget is not null && !classBudget.TryReserve(bytes))
        {
            return false;
        }

        if (Budget.TryReserve(bytes))
        {
            return true;
        }

        classBudget?.Release(bytes);
        return false;
    }

    private void Release(uint index, long bytes)
    {
        ClassBudgetOf(index)?.Release(bytes);
        Budget.Release(bytes);
    }

    /// <summary>The cap of one class, for pools that limit the number of arrays of a length.</summary>
    private MemoryBudget? ClassBudgetOf(uint index)
    {
        if (_classBudgets is null)
        {
            return null;
        }

        MemoryBudget? budget = Volatile.Read(ref _classBudgets[index]);
        if (budget is null)
        {
            long bytes = (long)LengthOf(index) * ElementSize;
            MemoryBudget mine = new(bytes * _maxBuffersPerClass);
            budget = Interlocked.CompareExchange(ref _classBudgets[index], mine, null) ?? mine;
        }

        return budget;
    }

    /// <summary>From the first byte kept, the clock looks after this pool.</summary>
    internal void WakeClock()
    {
        if (Volatile.Read(ref _awake) == 0 && Interlocked.Exchange(ref _awake, 1) == 0)
        {
            Clock.Wake(this);
        }
    }
}
