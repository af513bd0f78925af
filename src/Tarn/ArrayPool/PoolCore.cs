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
    private static readonly FreeIndices s_indices = new(first: 0);

    private readonly Depot?[] _depots = new Depot?[SizeClass.IndexCount];
    private readonly MemoryBudget?[]? _classBudgets;
    private readonly int _maxBuffersPerClass;
    private readonly int _shortestLength;

    internal PoolCore(BufferPoolOptions options, int elementSize, int maxBuffersPerClass)
    {
        ElementSize = elementSize;
        QuarterMask = SizeClass.QuarterMaskFor(options.SizeClassesPerDoubling);
        _shortestLength = options.SizeClassesPerDoubling == 4 ? 1 : 16;
        MaxLength = LengthOf(IndexOf(options.MaxArrayLength));
        Schedule = new TrimSchedule(this, options.Clock ?? TrimClock.Shared, options.IdleTimeout);
        Index = s_indices.Take();
        Exact = new ExactLengths(this);
        Budget = new MemoryBudget(options.MaxRetainedBytes ?? MemoryPressure.DefaultRetainedBytes);
        _maxBuffersPerClass = maxBuffersPerClass;
        _classBudgets = maxBuffersPerClass == int.MaxValue ? null : new MemoryBudget?[SizeClass.IndexCount];
    }

    /// <summary>The pool's place in every thread's directory; unique among the pools alive.</summary>
    internal int Index { get; }

    internal int ElementSize { get; }

    /// <summary>The longest class's length: longer arrays are made exactly as asked and not kept.</summary>
    internal int MaxLength { get; }

    internal TrimSchedule Schedule { get; }

    internal MemoryBudget Budget { get; }

    /// <summary>Arrays of lengths that are no class's.</summary>
    internal ExactLengths Exact { get; }

    internal PoolCounters Counters { get; } = new();

    /// <summary>What the fast path gives to <see cref="SizeClass.IndexOf"/>.</summary>
    internal uint QuarterMask { get; }

    /// <summary>The class that serves a request of <paramref name="length"/>, between 1 and <see cref="MaxLength"/>.</summary>
    /// <remarks>Pools with fewer classes begin at 16, as the BCL's do; the fast path finds nothing below and comes here.</remarks>
    internal uint IndexOf(int length) =>
        SizeClass.IndexOf(Math.Max(length, _shortestLength), QuarterMask);

    /// <summary>The length of the class's arrays.</summary>
    internal int LengthOf(uint index) => SizeClass.LengthOf(index, QuarterMask);

    /// <summary>Takes a free buffer of the class on this thread, or null: then the caller makes one, which is counted already.</summary>
    /// <param name="index">The class.</param>
    /// <param name="forget">Leave no stale reference behind: it would keep a leaked buffer alive, and the leak unseen.</param>
    internal Array? Take(uint index, bool forget)
    {
        CacheSection section = ThreadCache.Current.SectionOf(this);
        ref CacheEntry entry = ref section.Entries[index];
        if (entry.IsTopFree != 0 && entry.Top is { } top)
        {
            // Pools whose gate is closed come here for every rent.
            entry.IsTopFree = 0;
            entry.Rented++;
            if (forget)
            {
                entry.Top = null;
            }

            return top;
        }

        lock (section.Sync)
        {
            ClassState state = StateOf(section, ref entry, index);
            entry.Rented++;
            if (entry.IsTopFree == 0 && entry.Count == 0 && !TryRefill(ref entry, state))
            {
                state.Outflow--;
                return null;
            }

            Array? taken;
            if (entry.IsTopFree != 0)
            {
                entry.IsTopFree = 0;
                taken = entry.Top;
                entry.Top = forget ? null : taken;
            }
            else
            {
                entry.Count--;
                taken = entry.Items[entry.Count].Value;
                entry.Items[entry.Count].Value = forget ? null : taken;
            }

            return taken;
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
        if (TryGive(array, index, isLastTry: false))
        {
            return true;
        }

        // Evicting tells listeners, who may rent and return in turn, so it is not done under the section's lock.
        EvictFor(index);
        return TryGive(array, index, isLastTry: true);
    }

    /// <summary>Keeps a buffer if there is room; if not and this was the last try, counts it as gone.</summary>
    private bool TryGive(Array array, uint index, bool isLastTry)
    {
        CacheSection section = ThreadCache.Current.SectionOf(this);
        ref CacheEntry entry = ref section.Entries[index];
        if (entry.Top == array && entry.IsTopFree == 0)
        {
            entry.IsTopFree = 1;
            return true;
        }

        lock (section.Sync)
        {
            ClassState state = StateOf(section, ref entry, index);
            if (entry.IsTopFree != 0 && entry.Top == array)
            {
                Throw.ReturnedTwice(array.Length);
            }

            state.TopReserved = state.TopReserved || TryReserve(index, state.Bytes);
            if (state.TopReserved && entry.IsTopFree == 0)
            {
                entry.Top = array;
                entry.IsTopFree = 1;
                return true;
            }

            if (state.TopReserved && (entry.Count < entry.Items.Length || TryMakeRoom(ref entry, state)))
            {
                entry.Items[entry.Count].Value = array;
                entry.Count++;
                return true;
            }

            state.Outflow += isLastTry ? 1 : 0;
            return false;
        }
    }

    /// <summary>Refills an empty loaded magazine, and the top slot where that has no room yet.</summary>
    private bool TryRefill(ref CacheEntry entry, ClassState state)
    {
        ArrayReference[] empty = entry.Items;
        if (state.RestTaken > 0 && state.PreviousCount > 2 * state.RestTaken)
        {
            TakeFromRest(ref entry, state, 2 * state.RestTaken);
            return true;
        }

        if (state.PreviousCount > 0)
        {
            entry.Items = state.Previous;
            entry.Count = state.PreviousCount;
            state.Previous = empty;
            state.PreviousCount = 0;
            state.RestTaken = 0;
            state.PreviousUse.Note();
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
                DepotOf(state.Index).AddFull(state.Previous, Schedule.Now);
            }

            entry.Items = empty;
        }

        state.Previous = full;
        state.PreviousCount = full.Length;
        state.RestTaken = 0;
        state.PreviousUse.Note();
        entry.Count = 0;
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
            state = new ClassState(index, (long)length * ElementSize) { ActiveAt = Schedule.Now };
            entry = new CacheEntry { Items = CacheSection.Revoked, Length = length, Pool = Index };
            section.States[index] = state;
        }

        if (state.Parked is { } parked)
        {
            entry.Items = parked;
            state.Parked = null;
            SplitLoaded(ref entry, state);
        }

        if (entry.Count > entry.Items.Length)
        {
            state.Outflow += entry.Count;
            entry.Count = 0;
        }

        if (entry.IsTopFree != 0 && entry.Top is null)
        {
            state.Outflow++;
            entry.IsTopFree = 0;
        }

        Debug.Assert(entry.Items.Length == 0 || state.TopReserved, "a magazine has room only beside a reserved top slot");
        return state;
    }

    /// <summary>
    /// The loaded magazine was needed, but perhaps not all of it: all but its top becomes the previous magazine, where the trimmer sees
    /// whether that is needed too.
    /// </summary>
    private void SplitLoaded(ref CacheEntry entry, ClassState state)
    {
        const int top = 2;
        int rest = Math.Min(entry.Count, entry.Items.Length) - top;
        if (rest <= 0 || state.PreviousCount > 0)
        {
            return;
        }

        ArrayReference[] lower = entry.Items[..rest];
        ArrayReference[] upper = entry.Items[rest..];
        Release(state.Index, state.Previous.Length * state.Bytes);
        state.Previous = lower;
        state.PreviousCount = rest;
        state.RestTaken = top;
        state.PreviousUse.Note();
        entry.Items = upper;
        entry.Count = top;
    }

    /// <summary>
    /// What the trimmer watches is needed, but perhaps not all of it: its top becomes the loaded magazine, with the room of the empty
    /// one, and the rest goes on being watched. Twice as much each time, so a thread keeps at most about twice what it needs.
    /// </summary>
    private static void TakeFromRest(ref CacheEntry entry, ClassState state, int count)
    {
        int rest = state.PreviousCount - count;
        ArrayReference[] lower = state.Previous[..rest];
        ArrayReference[] loaded = new ArrayReference[entry.Items.Length + state.Previous.Length - rest];
        Array.Copy(state.Previous, rest, loaded, 0, count);
        entry.Items = loaded;
        entry.Count = count;
        state.Previous = lower;
        state.PreviousCount = rest;
        state.RestTaken = count;
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
}
