using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One size class of one pool: the size of its buffers, the depot of free ones, and the room granted for them.</summary>
/// <remarks>
/// Room for a buffer is granted twice where the pool limits the buffers of a length: by the class's own budget and by the pool's. The
/// depot's places and the slots of threads' caches hold room; see <see cref="PoolCore"/>. All members are safe to call from any thread.
/// </remarks>
internal sealed class ArrayClass
{
    /// <summary>Threads may keep one unearned buffer of up to this size, unless it exceeds a share of the cap.</summary>
    private const long MaxUnearnedBytes = 16 << 10;

    private const int UnearnedShareOfCap = 1024;

    /// <summary>The number of buffers of a small class that any thread may keep while its allowance lasts.</summary>
    private const int FewBuffers = 4;

    /// <summary>The room of a thread's cache in one class, in bytes, that is independent of other threads' rooms.</summary>
    private const long OwnSlotBytes = 128 << 10;

    /// <summary>The share of a class's buffers that threads may borrow: one in this many.</summary>
    private const int LentShare = 4;

    private readonly PoolCore _pool;
    private readonly MemoryBudget? _own;

    /// <summary>Separate from the fields that all threads only read.</summary>
    private Counters _counters;

    internal ArrayClass(PoolCore pool, uint index, int maxBuffers)
    {
        _pool = pool;
        Index = index;
        Length = pool.LengthOf(index);
        Bytes = (long)Length * pool.ElementSize;
        Unearned = Bytes <= Math.Min(MaxUnearnedBytes, pool.Budget.Cap / UnearnedShareOfCap) ? 1 : 0;
        OwnSlots = (int)Math.Max(1, OwnSlotBytes / Bytes);
        _own = maxBuffers == int.MaxValue ? null : new MemoryBudget(maxBuffers);
        LendableBytes = RoomAllowance.LendableBytes(pool.Budget.Cap);
        Depot = new Depot(this);
    }

    internal uint Index { get; }

    internal int PoolId => _pool.Id;

    internal TimeSpan Now => _pool.Schedule.Now;

    /// <summary>The length of one buffer.</summary>
    internal int Length { get; }

    /// <summary>The size of one buffer.</summary>
    internal long Bytes { get; }

    /// <summary>
    /// The number of free buffers that any thread may keep, besides those it borrows (<see cref="Lend"/>) or earns
    /// (<see cref="RoomLimit"/>).
    /// </summary>
    /// <remarks>Over all classes this is at most 112 KiB a thread: see <see cref="RoomAllowance"/>.</remarks>
    internal int Unearned { get; }

    /// <summary>
    /// The room of a thread's cache, in buffers, that is independent of other threads' rooms. Room beyond it is shared, and its total is at
    /// most the number of buffers.
    /// </summary>
    /// <remarks>
    /// Room stays with a thread while its buffers are elsewhere. If all room were shared, idle threads with empty room would leave none for
    /// busy threads, and every call of these would go to the depot.
    /// </remarks>
    internal int OwnSlots { get; }

    /// <summary>The most unearned bytes that each thread of the pool may keep over all classes.</summary>
    internal long LendableBytes { get; }

    /// <summary>Whether the class has buffers to lend.</summary>
    internal bool HasToLend => Unearned > 0 || (Existing / LentShare) - Volatile.Read(ref _counters.Lent) > 1;

    /// <summary>The buffers allocated for rents of the class.</summary>
    internal long Made => Volatile.Read(ref _counters.Made);

    /// <summary>The buffers of the class that came back and were dropped.</summary>
    internal long Dropped => Volatile.Read(ref _counters.Dropped);

    /// <summary>The free buffers that any thread may take.</summary>
    internal Depot Depot { get; }

    /// <summary>
    /// Whether the class has as many free buffers as its own limit allows. Giving up buffers of other classes does not help then.
    /// </summary>
    internal bool IsFull => _own is not null && _own.Granted >= _own.Limit;

    /// <summary>
    /// Grants room for all of these free buffers, or for none. <see cref="Wake"/> follows, when the caller holds no lock that other threads
    /// need.
    /// </summary>
    internal bool TryReserve(int buffers)
    {
        if (_own is not null && !_own.TryReserve(buffers))
        {
            return false;
        }

        if (_pool.Budget.TryReserve(buffers * Bytes))
        {
            return true;
        }

        _own?.Release(buffers);
        return false;
    }

    /// <summary>
    /// The buffers allocated and not given up: in use, free somewhere, or never returned, which the pool cannot tell from in use.
    /// </summary>
    private long Existing => Made - Dropped - Volatile.Read(ref _counters.GivenUp);

    /// <summary>Starts the clock, which may call the system, because room was granted.</summary>
    internal void Wake() => _pool.Schedule.Wake();

    /// <summary>Counts a buffer of the class that was allocated.</summary>
    internal void CountMade() => Interlocked.Increment(ref _counters.Made);

    /// <summary>Counts a buffer of the class that was dropped.</summary>
    internal void CountDropped() => Interlocked.Increment(ref _counters.Dropped);

    /// <summary>Gives up free buffers.</summary>
    internal void GiveUp(ReadOnlySpan<ArrayReference> buffers, ref TrimCount trimmed)
    {
        Interlocked.Add(ref _counters.GivenUp, buffers.Length);
        trimmed.Add(buffers, Bytes);
    }

    /// <summary>
    /// Lends a thread room for up to <paramref name="wanted"/> unearned free buffers, and returns the number. Any thread may borrow a few
    /// buffers of a small class. Beyond these, all threads together borrow at most a quarter of the existing buffers, and one thread at
    /// most half of the number the others left.
    /// </summary>
    /// <param name="wanted">How many more.</param>
    /// <param name="borrowed">The number the thread has already borrowed.</param>
    internal int Lend(int wanted, int borrowed)
    {
        int few = Unearned * (FewBuffers - 1) - borrowed;
        int lent = Volatile.Read(ref _counters.Lent);
        while (true)
        {
            int granted = (int)Math.Min(wanted, Math.Max(few, ((Existing / LentShare) - lent) / 2));
            if (granted <= 0)
            {
                return 0;
            }

            int seen = Interlocked.CompareExchange(ref _counters.Lent, lent + granted, lent);
            if (seen == lent)
            {
                return granted;
            }

            lent = seen;
        }
    }

    /// <summary>Takes back borrowed room.</summary>
    internal void EndLoan(int buffers) => Interlocked.Add(ref _counters.Lent, -buffers);

    /// <summary>Grants room for all of these free buffers in a thread's cache, or for none.</summary>
    /// <param name="buffers">How many more.</param>
    /// <param name="shared">The number of them beyond <see cref="OwnSlots"/>.</param>
    internal bool TryReserveSlots(int buffers, int shared)
    {
        if (shared > 0 && !TryShare(shared))
        {
            return false;
        }

        if (_pool.Slots.TryReserve(buffers * Bytes))
        {
            if (TryReserve(buffers))
            {
                Wake();
                return true;
            }

            _pool.Slots.Release(buffers * Bytes);
        }

        Interlocked.Add(ref _counters.SharedSlots, -shared);
        return false;
    }

    /// <summary>Gives the room of slots back.</summary>
    internal void ReleaseSlots(int buffers, int shared)
    {
        TurnIntoPlaces(buffers, shared);
        Release(buffers);
    }

    /// <summary>Turns room of slots into room of the depot.</summary>
    internal void TurnIntoPlaces(int slots, int shared)
    {
        Interlocked.Add(ref _counters.SharedSlots, -shared);
        _pool.Slots.Release(slots * Bytes);
    }

    /// <summary>Gives room back.</summary>
    internal void Release(long buffers)
    {
        _own?.Release(buffers);
        _pool.Budget.Release(buffers * Bytes);
    }

    /// <summary>
    /// Counts shared room, if its total does not exceed the number of buffers. It reads the counter first: threads whose requests fail, as
    /// they do while buffers circulate, would otherwise take the counter's cache line from each other.
    /// </summary>
    private bool TryShare(int slots)
    {
        if (Volatile.Read(ref _counters.SharedSlots) + slots > Existing)
        {
            return false;
        }

        if (Interlocked.Add(ref _counters.SharedSlots, slots) <= Existing)
        {
            return true;
        }

        Interlocked.Add(ref _counters.SharedSlots, -slots);
        return false;
    }

    /// <summary>
    /// The counters that threads write, in a cache line that holds nothing else. One call counts an allocation here and nowhere else that
    /// other threads write: a rent that finds no buffer takes one line from them. They are 64-bit, because buffers that are never returned
    /// are never uncounted.
    /// </summary>
    [StructLayout(LayoutKind.Explicit, Size = (2 * LineBytes) + 32)]
    private struct Counters
    {
        private const int LineBytes = 64;

        /// <summary>The buffers allocated for rents.</summary>
        [FieldOffset(LineBytes)]
        internal long Made;

        /// <summary>Of these, the buffers that came back and were dropped.</summary>
        [FieldOffset(LineBytes + 8)]
        internal long Dropped;

        /// <summary>Of these, the buffers that were kept and then given up.</summary>
        [FieldOffset(LineBytes + 16)]
        internal long GivenUp;

        /// <summary>The number of existing buffers that threads may keep beyond the buffers they earned.</summary>
        [FieldOffset(LineBytes + 24)]
        internal int Lent;

        /// <summary>The room in threads' caches beyond <see cref="OwnSlots"/>, in buffers.</summary>
        [FieldOffset(LineBytes + 28)]
        internal int SharedSlots;
    }
}
