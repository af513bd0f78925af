using System.Diagnostics;

namespace Tarn;

/// <summary>
/// One size class of one pool in one thread's cache: what stands behind its <see cref="CacheEntry"/>. Guarded by the section's lock.
/// </summary>
/// <remarks>
/// <para>The entry has the <i>top slot</i> and the <i>loaded</i> magazine. A trimmer that wants to know whether the loaded magazine is
/// needed parks it: see <see cref="ParkedMagazine"/>.</para>
/// <para>Equations, checked by <see cref="PoolCore.Validate"/>:</para>
/// <code>
/// slots    = (_hasTop ? 1 : 0) + Items.Length + parked slots             (room granted, in buffers)
/// free     = IsTopFree + Count + rest                                    (Count is of the parked magazine until the owner came)
/// returned = Rented + free + _outflow
/// </code>
/// <para>where <see cref="_outflow"/> counts buffers that left the cache for the depot or the collector, less those that came in from the
/// depot and those made for a rent. So the fast path of a return counts nothing, and what this thread has handed out less what it took
/// back is <c>-(free + _outflow)</c>.</para>
/// </remarks>
internal sealed partial class ArrayClassCache
{
    /// <summary>
    /// What the owner left is handed on when it is older than this share of the patience: half of the time between two ticks.
    /// </summary>
    private const int LookShareOfPatience = 8;

    private readonly CacheSection _section;
    private RoomLimit _limit;

    /// <summary>Buffers that may be kept on loan from the thread's allowance.</summary>
    private int _borrowed;
    private bool _hasTop;

    /// <summary>Of the room that is granted, what is shared with other threads: see <see cref="ArrayClass.OwnSlots"/>.</summary>
    private int _sharedSlots;
    private long _outflow;

    /// <summary>At this thread's last visit, it was alone at the depot (<see cref="Depot.Take(int, out bool)"/>).</summary>
    private bool _isAlone;

    private ParkedMagazine _parked;

    /// <summary>What a trimmer last saw change, and when.</summary>
    private ClassActivity _seen;
    private TimeSpan _seenAt;

    /// <summary>What the search for room saw last.</summary>
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

    /// <summary>Room granted, in buffers.</summary>
    internal int Slots => (_hasTop ? 1 : 0) + Entry.Items.Length + _parked.Slots;

    /// <summary>Buffers handed out through the entry, and those of them and of others' that came back.</summary>
    internal (long Rented, long Returned) Traffic
    {
        get
        {
            long rented = Volatile.Read(ref Entry.Rented);
            return (rented, rented + Entry.IsTopFree + Entry.Count + _parked.Rest + _outflow);
        }
    }

    /// <summary>Buffers that can be handed out without the depot.</summary>
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

    /// <summary>Free buffers to keep at most: those that need not be earned, or those that were.</summary>
    private int Allowed => Math.Max(Pool.Unearned + _borrowed, _limit.Value);

    /// <summary>The magazine that <see cref="CacheEntry.Count"/> speaks of.</summary>
    private ArrayReference[] LoadedOrParked => _parked.Unclaimed ?? Entry.Items;

    private long Outstanding => -(Entry.IsTopFree + Entry.Count + _parked.Rest + _outflow);

    private ClassActivity Activity => new(Entry.Rented, _outflow, Entry.IsTopFree + Entry.Count + _parked.Rest);

    /// <summary>
    /// The thread keeps nothing of the class and may keep nothing: every buffer goes to and comes from the depot, as large ones do that are
    /// handed from thread to thread. The owner needs no lock then, as there is nothing that a trimmer could take: see
    /// <see cref="TakePast"/> and <see cref="TryGivePast"/>.
    /// </summary>
    internal bool KeepsNothing => Allowed == 0 && !_hasTop && _parked.IsNone && Entry.Items.Length == 0 && !CanBorrow;

    /// <summary>Takes a buffer of the depot; null when there is none. For the owner, while it <see cref="KeepsNothing"/>.</summary>
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
    /// Puts a buffer into the depot, if there is room and the thread may not keep one from now on. For the owner, while it
    /// <see cref="KeepsNothing"/>.
    /// </summary>
    internal Placing TryGivePast(Array array)
    {
        _limit.OnOverflow(Outstanding, Entry.Rented);
        return _limit.Value > 0 ? Placing.NoRoom : HandOn(array);
    }

    /// <summary>Takes a free buffer, fetching from the depot if this thread has none; null when there is none there either.</summary>
    /// <param name="forget">Leave no stale reference behind: it would keep a leaked buffer alive, and the leak unseen.</param>
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

    /// <summary>Takes a free buffer if this thread has one, whatever it was kept for; not counted as a miss when it has none.</summary>
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

    /// <summary>This thread's rent got a buffer that was not kept here.</summary>
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

    /// <summary>A buffer came back for which there is no room anywhere: it leaves. That is no use of the class.</summary>
    internal void CountDropped()
    {
        _outflow++;
        _seen = _seen with { Outflow = _seen.Outflow + 1 };
        _seenByHand = _seenByHand with { Outflow = _seenByHand.Outflow + 1 };
    }

    /// <summary>Checks the equations above as far as they can be seen here.</summary>
    internal void Validate(int poolId)
    {
        ref CacheEntry entry = ref Entry;
        Throw.UnlessHolds(entry.Length == Pool.Length && entry.Pool == poolId, "an entry serves its class and pool");
        Throw.UnlessHolds(LoadedOrParked.Length == 0 || _hasTop, "a magazine has room only beside a reserved top slot");
        Throw.UnlessHolds(entry.Top is null || _hasTop, "a top slot that keeps a reference is reserved");
        Throw.UnlessHolds(_sharedSlots == Math.Max(0, Slots - Pool.OwnSlots), "room beyond a thread's own is shared");
        Throw.UnlessHolds(FreeCount <= Slots, "no more is free than there is room for");
    }

    /// <summary>Takes into account what trimmers did since the owner last came. For the owner.</summary>
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

    /// <summary>Puts a buffer where there is room for it already.</summary>
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
    /// Fetches buffers from the depot, as many as this thread may keep unasked, and hands one of them out; null when there is none.
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

    /// <summary>The top slot takes note of a buffer that is handed out beside it: most likely it comes back next.</summary>
    private void Remember(Array? handedOut, bool forget)
    {
        if (_hasTop && !forget && handedOut is not null)
        {
            Entry.Top = handedOut;
        }
    }
}
