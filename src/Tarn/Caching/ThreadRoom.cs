namespace Tarn;

/// <summary>The room that all threads of a pool or heap together have for free buffers: the sum of the slots of their caches.</summary>
/// <remarks>
/// <para>A free buffer in a thread's cache is out of every other thread's reach, so the others allocate in its place. The limit keeps
/// that in proportion to what is kept for all threads: beyond a small amount for each thread, the caches get a quarter of what the depots
/// have. No count that callers can falsify decides: the depots' room is what the budget granted beside the caches'.</para>
/// <para>While one thread alone uses the pool, nobody allocates in place of what it keeps, and it may keep half of the cap. A thread that
/// is idle for the timeout keeps nothing and is not counted. Threads without a cache count as one until the next tick.</para>
/// <para>What a class guarantees each thread, a few buffers, is granted up to half of the cap, so that no class of small buffers is left
/// without because others came first. All members are safe to call from any thread.</para>
/// </remarks>
/// <param name="all">The budget that grants room to caches and depots alike.</param>
internal sealed class ThreadRoom(MemoryBudget all)
{
    /// <summary>The room of each thread that does not depend on the depots.</summary>
    internal const long BytesPerThread = 768 << 10;

    private const int CapDivisor = 2;
    private const int DepotsDivisor = 4;

    private long _granted;
    private int _threads;
    private bool _isVisited;

    /// <summary>The bytes granted and not given back.</summary>
    internal long Granted => Volatile.Read(ref _granted);

    /// <summary>The threads that use the pool.</summary>
    internal int Threads => Volatile.Read(ref _threads);

    /// <summary>The most bytes that may be granted now.</summary>
    internal long Limit => IsAlone ? Most : Math.Min(Most, (Threads * BytesPerThread) + (Depots / DepotsDivisor));

    private bool IsAlone => Threads + (Volatile.Read(ref _isVisited) ? 1 : 0) <= 1;

    private long Most => all.Limit / CapDivisor;

    private long Depots => Math.Max(0, all.Granted - Granted);

    /// <summary>Grants room, all or nothing.</summary>
    /// <param name="bytes">The room, in bytes.</param>
    /// <param name="isGuaranteed">Whether it is within what the class guarantees.</param>
    internal bool TryReserve(long bytes, bool isGuaranteed)
    {
        long limit = isGuaranteed ? Most : Limit;
        if (Granted + bytes > limit)
        {
            return false;
        }

        if (Interlocked.Add(ref _granted, bytes) <= limit)
        {
            return true;
        }

        Release(bytes);
        return false;
    }

    /// <summary>Takes room back.</summary>
    internal void Release(long bytes) => Interlocked.Add(ref _granted, -bytes);

    /// <summary>Counts a thread that begins to use the pool, or uncounts one that is idle or has ended.</summary>
    internal void AddThreads(int threads) => Interlocked.Add(ref _threads, threads);

    /// <summary>Notes a use by a thread that has no cache, if another has one. So a thread's own first uses do not count.</summary>
    internal void NoteVisit()
    {
        if (Threads > 0 && !Volatile.Read(ref _isVisited))
        {
            Volatile.Write(ref _isVisited, true);
        }
    }

    /// <summary>Forgets the visits until now. For the clock.</summary>
    internal void EndVisits() => Volatile.Write(ref _isVisited, false);
}

/// <summary>Whether one thread counts among those that use a pool or heap. Guarded by the lock of the thread's section.</summary>
/// <param name="room">The owner's. A call may still need it when the owner has just ended.</param>
internal struct RoomUse(ThreadRoom room)
{
    private bool _isCounted;

    /// <summary>Counts the thread, or does not count it any more.</summary>
    internal void Count(bool isUsed)
    {
        if (_isCounted != isUsed)
        {
            _isCounted = isUsed;
            room.AddThreads(isUsed ? 1 : -1);
        }
    }
}
