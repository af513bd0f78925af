using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One size class of one pool: the size of its buffers, the depot of free ones, and the room granted for them.</summary>
/// <remarks>
/// Room for a buffer is granted twice where the pool limits the buffers of a length: by the class's own budget and by the pool's. The
/// depot's places and the slots of threads' caches hold room; see <see cref="PoolCore"/>. All members are safe to call from any thread.
/// </remarks>
internal sealed class ArrayClass
{
    /// <summary>The free buffers of each class that any thread may keep, in bytes.</summary>
    private const long GuaranteedBytes = 16 << 10;
    private const int GuaranteedCapDivisor = 4096;
    private const int MostGuaranteed = 16;

    /// <summary>The most that a thread keeps of a class that it only rents, or only returns.</summary>
    private const long OneWayBytes = 512 << 10;
    private const int OneWayCapDivisor = 512;
    private const int MostOneWay = 32;

    /// <summary>The most buffers that a thread keeps of a class that it rents and returns.</summary>
    private const int MostBothWays = 16;

    private readonly PoolCore _pool;
    private readonly MemoryBudget? _limit;

    /// <summary>Separate from the fields that all threads only read.</summary>
    private Counters _counters;

    internal ArrayClass(PoolCore pool, uint index, int maxBuffers)
    {
        _pool = pool;
        Index = index;
        Length = pool.LengthOf(index);
        Bytes = (long)Length * pool.ElementSize;
        IsKeptByThreads = Bytes <= pool.LargestKeptByThreads;
        long guaranteed = Math.Min(GuaranteedBytes, pool.Budget.Cap / GuaranteedCapDivisor) / Bytes;
        long oneWay = Math.Min(OneWayBytes, pool.Budget.Cap / OneWayCapDivisor) / Bytes;
        Room = new ClassRoom(First: 1, (int)Math.Min(guaranteed, MostGuaranteed), MostBothWays, (int)Math.Clamp(oneWay, 1, MostOneWay));
        _limit = maxBuffers == int.MaxValue ? null : new MemoryBudget(maxBuffers);
        Depot = new Depot(this);
    }

    internal uint Index { get; }

    internal int PoolId => _pool.Id;

    /// <summary>The length of one buffer.</summary>
    internal int Length { get; }

    /// <summary>The size of one buffer.</summary>
    internal long Bytes { get; }

    /// <summary>Whether threads keep buffers of the class. The largest ones are in the depot only.</summary>
    internal bool IsKeptByThreads { get; }

    /// <summary>How many free buffers of the class a thread may keep, where threads keep any.</summary>
    internal ClassRoom Room { get; }

    /// <summary>The buffers allocated for rents of the class.</summary>
    internal long Made => Volatile.Read(ref _counters.Made);

    /// <summary>The buffers of the class that came back and were dropped.</summary>
    internal long Dropped => Volatile.Read(ref _counters.Dropped);

    /// <summary>The free buffers that any thread may take.</summary>
    internal Depot Depot { get; }

    /// <summary>
    /// Whether the class has as many free buffers as its own limit allows. Giving up buffers of other classes does not help then.
    /// </summary>
    internal bool IsFull => _limit is not null && _limit.Granted >= _limit.Limit;

    /// <summary>
    /// Grants room for all of these free buffers, or for none. <see cref="Wake"/> follows, when the caller holds no lock that other threads
    /// need.
    /// </summary>
    internal bool TryReserve(int buffers)
    {
        if (_limit is not null && !_limit.TryReserve(buffers))
        {
            return false;
        }

        if (_pool.Budget.TryReserve(buffers * Bytes))
        {
            return true;
        }

        _limit?.Release(buffers);
        return false;
    }

    /// <summary>Starts the clock, which may call the system, because room was granted.</summary>
    internal void Wake() => _pool.Schedule.Wake();

    /// <summary>Counts a buffer of the class that was allocated.</summary>
    internal void CountMade() => Interlocked.Increment(ref _counters.Made);

    /// <summary>Counts a buffer of the class that was dropped.</summary>
    internal void CountDropped() => Interlocked.Increment(ref _counters.Dropped);

    /// <summary>Gives up free buffers.</summary>
    internal void GiveUp(ReadOnlySpan<ArrayReference> buffers, ref TrimCount trimmed) => trimmed.Add(buffers, Bytes);

    /// <summary>Gives room back.</summary>
    internal void Release(long buffers)
    {
        _limit?.Release(buffers);
        _pool.Budget.Release(buffers * Bytes);
    }

    /// <summary>
    /// The counters that threads write, in a cache line that holds nothing else. One call counts an allocation here and nowhere else that
    /// other threads write: a rent that finds no buffer takes one line from them. They are 64-bit, because buffers that are never returned
    /// are never uncounted.
    /// </summary>
    [StructLayout(LayoutKind.Explicit, Size = (2 * LineBytes) + 16)]
    private struct Counters
    {
        private const int LineBytes = 64;

        /// <summary>The buffers allocated for rents.</summary>
        [FieldOffset(LineBytes)]
        internal long Made;

        /// <summary>Of these, the buffers that came back and were dropped.</summary>
        [FieldOffset(LineBytes + 8)]
        internal long Dropped;
    }
}
