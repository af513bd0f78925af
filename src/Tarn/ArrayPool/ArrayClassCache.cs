using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// One size class of one pool in one thread's cache: the state behind its <see cref="CacheEntry"/>. Guarded by the section's lock.
/// </summary>
/// <remarks>
/// <para>The entry has the <i>top slot</i> and, behind it, the <i>magazine</i>. Both have room that was granted, which doubles when the
/// thread needs more (<see cref="ClassRoom"/>).</para>
/// <para>At a tick, a trimmer <i>parks the magazine</i>. The entry then has none, so the owner takes the slow path when it needs more
/// than the top slot, and takes the magazine back. It keeps the newer half of the buffers and hands on the older half. What a burst left
/// thus halves with each tick, and the fast path pays nothing for being watched.</para>
/// <para>Equations, checked by <see cref="PoolCore.Validate"/>:</para>
/// <code>
/// slots    = (_hasTop ? 1 : 0) + magazine.Length      (room granted, in buffers; the magazine may be parked)
/// free     = IsTopFree + Count
/// returned = Rented + free + _outflow
/// </code>
/// <para>where <see cref="_outflow"/> counts the buffers that left the cache for the depot or the collector, minus those that came from the
/// depot or were allocated for a rent. So the fast path of a return counts nothing.</para>
/// </remarks>
internal sealed partial class ArrayClassCache
{
    /// <summary>The longer buffers that a thread takes in a row before it gets a new one of the class.</summary>
    private const int MostLonger = 8;

    private readonly CacheSection _section;

    /// <summary>The address of the class's entry, which the section keeps.</summary>
    private readonly nint _entry;
    private ClassFlow _flow;

    /// <summary>
    /// The buffers that the depot had left after this thread's last miss. A look at the depot before the visit would request its cache
    /// line twice.
    /// </summary>
    private int _leftInDepot;
    private bool _hasTop;

    private long _outflow;

    /// <summary>The rents of the class when none was found the last time, and how many others in a row had found none before.</summary>
    private long _rentedAtNone = -1;
    private int _nones;

    /// <summary>The magazine while it is parked; otherwise null.</summary>
    private ArrayReference[]? _parked;
    private TimeSpan _parkedAt;

    /// <summary>The pass that revoked the magazine and may empty the top slot; 0 once the owner made a slow call.</summary>
    private int _revokedIn;

    /// <summary>The activity that a trimmer last saw.</summary>
    private ClassActivity _seen;
    private TimeSpan _seenAt;

    internal ArrayClassCache(CacheSection section, ArrayClass shared, ArrayClassCache? next)
    {
        _section = section;
        Shared = shared;
        _entry = section.Address + (nint)(shared.Index * (uint)Unsafe.SizeOf<CacheEntry>());
        Next = next;
        Entry.Length = shared.Length;
        Entry.Pool = shared.PoolId;
        Entry.Cache = this;
    }

    /// <summary>The class that came into use before this one.</summary>
    internal ArrayClassCache? Next { get; }

    /// <summary>The thread's cache of the pool, whose lock guards this.</summary>
    internal CacheSection Section => _section;

    /// <summary>What all threads share of the class.</summary>
    internal ArrayClass Shared { get; }

    /// <summary>The granted room, in buffers.</summary>
    internal int Slots => (_hasTop ? 1 : 0) + Magazine.Length;

    /// <summary>The number of buffers handed out through the entry, and the number returned to it, its own and others'.</summary>
    internal (long Rented, long Returned) Traffic
    {
        get
        {
            long rented = Volatile.Read(ref Entry.Rented);
            return (rented, rented + Entry.IsTopFree + Entry.Count + _outflow);
        }
    }

    /// <summary>The number of buffers that can be handed out without the depot.</summary>
    internal int FreeCount
    {
        get
        {
            ref CacheEntry entry = ref Entry;
            int top = entry.IsTopFree != 0 && entry.Top is not null ? 1 : 0;
            return top + Math.Min(entry.Count, Magazine.Length);
        }
    }

    /// <summary>The magazine whose buffers <see cref="CacheEntry.Count"/> counts.</summary>
    private ArrayReference[] Magazine => _parked ?? Entry.Items;

    private unsafe ref CacheEntry Entry => ref Unsafe.AsRef<CacheEntry>((void*)_entry);

    private ClassActivity Activity => new(Entry.Rented, _outflow, Entry.IsTopFree + Entry.Count);

    /// <summary>Takes a free buffer, from the depot if this thread has none. Returns null if the depot has none either.</summary>
    internal Array? Take()
    {
        NoteTrims();
        Array? taken = TakeKept() ?? Fetch();
        if (taken is not null)
        {
            Entry.Rented++;
        }

        return taken;
    }

    /// <summary>
    /// Notes that a rent finds no buffer of the class. Returns whether the thread needs one of the class, because some rents in a row have
    /// found none: a longer one goes back to its own class, so the next rent would find none again.
    /// </summary>
    internal bool NoteFoundNone()
    {
        _nones = Entry.Rented == _rentedAtNone ? _nones + 1 : 0;
        _rentedAtNone = Entry.Rented;
        return _nones >= MostLonger;
    }

    /// <summary>Counts a rent of this thread that got a buffer from elsewhere.</summary>
    internal void CountMade()
    {
        Entry.Rented++;
        _outflow--;
    }

    /// <summary>Keeps a buffer here or in the depot, if there is room under the cap.</summary>
    internal Placing TryGive(Array array)
    {
        ref CacheEntry entry = ref Entry;
        if (entry.Top == array && entry.IsTopFree == 0)
        {
            entry.IsTopFree = 1;
            return Placing.Kept;
        }

        NoteTrims();
        if (entry.IsNext(array))
        {
            return Placing.ReturnedTwice;
        }

        if (TryPlace(array))
        {
            return Placing.Kept;
        }

        bool isOneWay = _flow.NoteOverflow();
        return TryGrow(isOneWay, array) && TryPlace(array) ? Placing.Kept : HandOn(array, isOneWay);
    }

    /// <summary>Counts a returned buffer that left because there is no room anywhere. This is no use of the class.</summary>
    internal void CountDropped()
    {
        _outflow++;
        _seen = _seen with { Outflow = _seen.Outflow + 1 };
    }

    /// <summary>Checks those of the equations above that this object can see.</summary>
    internal void Validate(int poolId)
    {
        ref CacheEntry entry = ref Entry;
        Throw.UnlessHolds(entry.Length == Shared.Length && entry.Pool == poolId, "an entry serves its class and pool");
        Throw.UnlessHolds(Magazine.Length == 0 || _hasTop, "a magazine has room only beside a reserved top slot");
        Throw.UnlessHolds(
            entry.Items == CacheSection.Revoked || _hasTop, "a magazine that is not revoked says that there is a reserved top slot");
        Throw.UnlessHolds(entry.Top is null || _hasTop, "a top slot that keeps a reference is reserved");
        Throw.UnlessHolds(FreeCount <= Slots, "no more is free than there is room for");
    }

    /// <summary>Accounts for the actions of trimmers since the owner's last call. For the owner.</summary>
    private void NoteTrims()
    {
        _section.Use.Count(isUsed: true);
        ref CacheEntry entry = ref Entry;
        if (_parked is not null)
        {
            TakeBack(ref entry);
        }

        if (entry.Count > entry.Items.Length)
        {
            _outflow += entry.Count;
            entry.Count = 0;
        }

        if (entry.IsTopFree != 0 && entry.Top is null)
        {
            _outflow++;
            entry.IsTopFree = 0;
        }

        if (_hasTop && entry.Items.Length == 0)
        {
            // The magazine is gone, and the top slot serves without a lock again.
            entry.Items = CacheSection.TopAlone;
            _revokedIn = 0;
        }
    }

    /// <summary>
    /// Takes the parked magazine back. The older half of its buffers goes to the depot with its room, unless there is no memory
    /// for that.
    /// </summary>
    private void TakeBack(ref CacheEntry entry)
    {
        ArrayReference[] items = _parked!;
        int older = entry.Count / 2;
        ArrayReference[]? shorter = older > 0 ? ArrayReference.TryMake(items.Length - older) : null;
        if (shorter is not null && Shared.Depot.TryPut(items.AsSpan(0, older), room: older, unused: true) == Placing.Kept)
        {
            items.AsSpan(older, entry.Count - older).CopyTo(shorter);
            items = shorter;
            entry.Count -= older;
            _outflow += older;
            _section.TurnIntoPlaces(Shared, older);
        }

        entry.Items = items;
        _parked = null;

        // A miss that follows is the trimmer's doing, and shows nothing of the thread.
        _flow = default;
    }

    private Array? TakeKept()
    {
        ref CacheEntry entry = ref Entry;
        Array? taken = null;
        if (entry.IsTopFree != 0)
        {
            entry.IsTopFree = 0;
            taken = entry.Top;
        }
        else if (entry.Count > 0)
        {
            entry.Count--;
            taken = entry.Items[entry.Count].Value;
        }

        return taken;
    }

    /// <summary>Puts a buffer into existing room, in the order of the fast path.</summary>
    private bool TryPlace(Array array)
    {
        ref CacheEntry entry = ref Entry;
        if (entry.Count < entry.Items.Length)
        {
            entry.Items[entry.Count].Value = array;
            entry.Count++;
            return true;
        }

        if (_hasTop && entry.IsTopFree == 0)
        {
            entry.Top = array;
            entry.IsTopFree = 1;
            return true;
        }

        return false;
    }

    /// <summary>
    /// Fetches buffers for half of the room from the depot, or for all of it if the thread only rents, and hands out one of them. Returns
    /// null if there is none.
    /// </summary>
    private Array? Fetch()
    {
        ref CacheEntry entry = ref Entry;
        bool isOneWay = _flow.NoteMiss();
        if (isOneWay && _leftInDepot >= Slots)
        {
            // A thread that only rents never overflows.
            TryGrow(isOneWay);
        }

        int wanted = isOneWay ? entry.Items.Length : Math.Min(entry.Items.Length, Slots / 2);
        Array? first;
        if (wanted > 1)
        {
            entry.Count = Shared.Depot.Take(entry.Items.AsSpan(0, wanted), out _leftInDepot);
            _outflow -= entry.Count;
            first = TakeKept();
        }
        else
        {
            first = Shared.Depot.Take(out _leftInDepot);
            _outflow -= first is null ? 0 : 1;
        }

        if (_hasTop && first is not null)
        {
            // This buffer is most likely the next one returned.
            entry.Top = first;
        }

        return first;
    }
}
