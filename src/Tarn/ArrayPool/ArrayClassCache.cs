using System.Diagnostics;

namespace Tarn;

/// <summary>
/// One size class of one pool in one thread's cache: the state behind its <see cref="CacheEntry"/>. Guarded by the section's lock.
/// </summary>
/// <remarks>
/// <para>The entry has the <i>top slot</i> and the <i>loaded</i> magazine. To find out whether the loaded magazine is needed, a trimmer
/// parks it; see <see cref="ParkedMagazine"/>.</para>
/// <para>Equations, checked by <see cref="PoolCore.Validate"/>:</para>
/// <code>
/// slots    = (_hasTop ? 1 : 0) + Items.Length + parked slots             (room granted, in buffers)
/// free     = IsTopFree + Count + rest                                    (Count is of the parked magazine until the owner came)
/// returned = Rented + free + _outflow
/// </code>
/// <para>where <see cref="_outflow"/> counts the buffers that left the cache for the depot or the collector, minus those that came from the
/// depot or were allocated for a rent. So the fast path of a return counts nothing, and the buffers this thread handed out minus those it
/// took back are <c>-(free + _outflow)</c>.</para>
/// </remarks>
internal sealed partial class ArrayClassCache
{
    /// <summary>
    /// The rest of a parked magazine is handed over when it is older than this share of the patience: half of the time between two ticks.
    /// </summary>
    private const int LookShareOfPatience = 8;

    private readonly CacheSection _section;
    private RoomLimit _limit;

    /// <summary>The number of buffers that may be kept with room borrowed from the thread's allowance.</summary>
    private int _borrowed;
    private bool _hasTop;

    private long _outflow;

    /// <summary>At this thread's last visit, it was alone at the depot (<see cref="Depot.Take(int, out bool)"/>).</summary>
    private bool _isAlone;

    private ParkedMagazine _parked;

    /// <summary>The activity that a trimmer last saw.</summary>
    private ClassActivity _seen;
    private TimeSpan _seenAt;

    /// <summary>The activity that the search for room last saw.</summary>
    private ClassActivity _seenByHand;

    internal ArrayClassCache(CacheSection section, ArrayClass pool, ArrayClassCache? next)
    {
        _section = section;
        Pool = pool;
        Next = next;
        Entry.Length = pool.Length;
        Entry.Pool = pool.PoolId;
    }

    /// <summary>The class that came into use before this one.</summary>
    internal ArrayClassCache? Next { get; }

    internal ArrayClass Pool { get; }

    /// <summary>The granted room, in buffers.</summary>
    internal int Slots => (_hasTop ? 1 : 0) + Entry.Items.Length + _parked.Slots;

    /// <summary>The number of buffers handed out through the entry, and the number returned to it, its own and others'.</summary>
    internal (long Rented, long Returned) Traffic
    {
        get
        {
            long rented = Volatile.Read(ref Entry.Rented);
            return (rented, rented + Entry.IsTopFree + Entry.Count + _parked.Rest + _outflow);
        }
    }

    /// <summary>The number of buffers that can be handed out without the depot.</summary>
    internal int FreeCount
    {
        get
        {
            ref CacheEntry entry = ref Entry;
            int top = entry.IsTopFree != 0 && entry.Top is not null ? 1 : 0;
            return top + Math.Min(entry.Count, LoadedOrParked.Length) + _parked.Rest;
        }
    }

    private ref CacheEntry Entry => ref _section.Entries[Pool.Index];

    /// <summary>The most free buffers to keep: the unearned and borrowed ones, or the earned ones.</summary>
    private int Allowed => Math.Max(Pool.Unearned + _borrowed, _limit.Value);

    /// <summary>The magazine whose buffers <see cref="CacheEntry.Count"/> counts.</summary>
    private ArrayReference[] LoadedOrParked => _parked.Unclaimed ?? Entry.Items;

    private long Outstanding => -(Entry.IsTopFree + Entry.Count + _parked.Rest + _outflow);

    private ClassActivity Activity => new(Entry.Rented, _outflow, Entry.IsTopFree + Entry.Count + _parked.Rest);

    /// <summary>
    /// Whether the thread keeps no buffers of the class and may keep none. Every buffer then goes to and comes from the depot, as large
    /// buffers do that are handed from thread to thread. The owner needs no lock in this state, as a trimmer could take nothing; see
    /// <see cref="TakePast"/> and <see cref="TryGivePast"/>.
    /// </summary>
    internal bool KeepsNothing => Allowed == 0 && !_hasTop && _parked.IsNone && Entry.Items.Length == 0 && !CanBorrow;

    /// <summary>Takes a buffer from the depot, or returns null. For the owner, while it <see cref="KeepsNothing"/>.</summary>
    internal Array? TakePast()
    {
        NoteMiss();
        Array? taken = Pool.Depot.Take(_section.Id, out _isAlone);
        if (taken is not null)
        {
            CountMade();
        }

        return taken;
    }

    /// <summary>
    /// Puts a buffer into the depot, if there is room and the thread may still keep none. For the owner, while it
    /// <see cref="KeepsNothing"/>.
    /// </summary>
    internal Placing TryGivePast(Array array)
    {
        _limit.OnOverflow(Outstanding, Entry.Rented);
        return _limit.Value > 0 ? Placing.NoRoom : HandOn(array);
    }

    /// <summary>Takes a free buffer, from the depot if this thread has none. Returns null if the depot has none either.</summary>
    /// <param name="forget">Whether to leave no stale reference, which would keep a leaked buffer alive and hide the leak.</param>
    internal Array? Take(bool forget)
    {
        Settle();
        ref CacheEntry entry = ref Entry;
        Array? taken = TakeKept(forget);
        if (taken is null && _parked.Rest > 0)
        {
            _parked.TakeBackMore(ref entry);
            taken = TakeKept(forget);
        }

        if (taken is null)
        {
            NoteMiss();
            taken = Fetch(forget);
        }

        if (taken is not null)
        {
            entry.Rented++;
        }

        return taken;
    }

    /// <summary>Takes any free buffer of this thread. Returns null if it has none, without counting a miss.</summary>
    internal Array? TakeSpare(bool forget)
    {
        Settle();
        if (_parked.Rest > 0)
        {
            _parked.TakeBackMore(ref Entry);
        }

        Array? taken = TakeKept(forget);
        Entry.Rented += taken is not null ? 1 : 0;
        return taken;
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

        Settle();
        if (entry.IsTopFree != 0 && entry.Top == array)
        {
            return Placing.ReturnedTwice;
        }

        if (TryPlace(array))
        {
            return Placing.Kept;
        }

        bool isAskedFor = !_limit.OnlyReturns;
        _limit.OnOverflow(Outstanding, entry.Rented);
        if (Slots >= Allowed)
        {
            Borrow();
        }

        return Slots < Allowed && !Pool.Depot.IsNext(array) && TryGrow() && TryPlace(array) ? Placing.Kept : TryHandOn(array, isAskedFor);
    }

    /// <summary>Counts a returned buffer that left because there is no room anywhere. This is no use of the class.</summary>
    internal void CountDropped()
    {
        _outflow++;
        _seen = _seen with { Outflow = _seen.Outflow + 1 };
        _seenByHand = _seenByHand with { Outflow = _seenByHand.Outflow + 1 };
    }

    /// <summary>Checks those of the equations above that this object can see.</summary>
    internal void Validate(int poolId)
    {
        ref CacheEntry entry = ref Entry;
        Throw.UnlessHolds(entry.Length == Pool.Length && entry.Pool == poolId, "an entry serves its class and pool");
        Throw.UnlessHolds(LoadedOrParked.Length == 0 || _hasTop, "a magazine has room only beside a reserved top slot");
        Throw.UnlessHolds(
            entry.Items == CacheSection.Revoked || _hasTop, "a magazine that is not revoked says that there is a reserved top slot");
        Throw.UnlessHolds(entry.Top is null || _hasTop, "a top slot that keeps a reference is reserved");
        Throw.UnlessHolds(FreeCount <= Slots, "no more is free than there is room for");
    }

    /// <summary>Accounts for the actions of trimmers since the owner's last call. For the owner.</summary>
    private void Settle()
    {
        ref CacheEntry entry = ref Entry;
        if (_parked.Unclaimed is not null)
        {
            _parked.Claim(ref entry, _hasTop, Pool.Now);
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

        Debug.Assert(entry.Items.Length == 0 || _hasTop, "a magazine has room only beside a reserved top slot");
    }

    private void NoteMiss() => _limit.OnMiss(Outstanding + 1, Entry.Rented + 1, _isAlone);

    private Array? TakeKept(bool forget)
    {
        ref CacheEntry entry = ref Entry;
        Array? taken = null;
        if (entry.IsTopFree != 0)
        {
            entry.IsTopFree = 0;
            taken = entry.Top;
            entry.Top = forget ? null : taken;
        }
        else if (entry.Count > 0)
        {
            entry.Count--;
            taken = entry.Items[entry.Count].Value;
            entry.Items[entry.Count].Value = forget ? null : taken;
        }

        return taken;
    }

    /// <summary>Puts a buffer into existing room.</summary>
    private bool TryPlace(Array array)
    {
        ref CacheEntry entry = ref Entry;
        if (_hasTop && entry.IsTopFree == 0)
        {
            entry.Top = array;
            entry.IsTopFree = 1;
            return true;
        }

        if (entry.Count < entry.Items.Length)
        {
            entry.Items[entry.Count].Value = array;
            entry.Count++;
            return true;
        }

        return false;
    }

    /// <summary>
    /// Fetches as many buffers from the depot as this thread may keep, and hands out one of them. Returns null if there is none.
    /// </summary>
    private Array? Fetch(bool forget)
    {
        ref CacheEntry entry = ref Entry;
        if (entry.Items.Length + 1 >= Allowed)
        {
            Borrow();
        }

        int wanted = _limit.BatchOf(Pool.Unearned + _borrowed);
        if (wanted > 1 && entry.Items.Length < wanted && Pool.Depot.Count > 0)
        {
            GrowTo(wanted);
        }

        if (entry.Items.Length > 0)
        {
            int fetched = Pool.Depot.Take(entry.Items.AsSpan(0, Math.Clamp(wanted, 1, entry.Items.Length)), _section.Id, out _isAlone);
            _outflow -= fetched;
            entry.Count = fetched;
            Array? first = TakeKept(forget);
            Remember(first, forget);
            return first;
        }

        Array? single = Pool.Depot.Take(_section.Id, out _isAlone);
        if (single is not null)
        {
            _outflow--;
            Remember(single, forget);
        }

        return single;
    }

    /// <summary>
    /// Stores a reference to the buffer handed out in the top slot, because this buffer is most likely the next one returned.
    /// </summary>
    private void Remember(Array? handedOut, bool forget)
    {
        if (_hasTop && !forget && handedOut is not null)
        {
            Entry.Top = handedOut;
        }
    }
}
