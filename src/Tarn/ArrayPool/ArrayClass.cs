namespace Tarn;

/// <summary>One size class of one pool: what its buffers are, where free ones wait for any thread, and who grants room for them.</summary>
/// <remarks>
/// Room for a buffer is granted twice where the pool limits the buffers of a length: by the class's own budget and by the pool's. The depot's
/// places and the slots of threads' caches hold room; see <see cref="PoolCore"/>. All members are safe to call from any thread.
/// </remarks>
internal sealed class ArrayClass
{
    /// <summary>A thread keeps at most so many bytes of a class that it has not earned, and so many buffers.</summary>
    private const long MaxUnearnedBytes = 16 << 10;

    private const int MaxUnearned = 64;

    /// <summary>Nor more than this share of the cap, of each class.</summary>
    private const int UnearnedShareOfCap = 1024;

    private readonly PoolCore _pool;
    private readonly MemoryBudget? _own;

    internal ArrayClass(PoolCore pool, uint index, int maxBuffers)
    {
        _pool = pool;
        Index = index;
        Length = pool.LengthOf(index);
        Bytes = (long)Length * pool.ElementSize;
        Unearned = (int)Math.Min(Math.Min(MaxUnearned, maxBuffers), Math.Min(MaxUnearnedBytes, pool.Budget.Cap / UnearnedShareOfCap) / Bytes);
        _own = maxBuffers == int.MaxValue ? null : new MemoryBudget(maxBuffers);
        Depot = new Depot(this);
    }

    internal uint Index { get; }

    internal int PoolId => _pool.Id;

    internal TimeSpan Now => _pool.Schedule.Now;

    /// <summary>The length of one buffer.</summary>
    internal int Length { get; }

    /// <summary>The size of one buffer.</summary>
    internal long Bytes { get; }

    /// <summary>How many free buffers any thread may keep; see <see cref="RoomLimit"/>.</summary>
    /// <remarks>
    /// Over all classes this is less than 512 KiB a thread: at most 24 classes lie between 256 bytes and 16 KiB, each with at most 16 KiB, and
    /// 64 buffers of every class up to 256 bytes are at most 104 KiB.
    /// </remarks>
    internal int Unearned { get; }

    /// <summary>Free buffers that any thread may take.</summary>
    internal Depot Depot { get; }

    /// <summary>The class has as many free buffers as its own limit allows: giving up others' is no help.</summary>
    internal bool IsFull => _own is not null && _own.Granted >= _own.Limit;

    /// <summary>Grants room for free buffers, or for none.</summary>
    internal bool TryReserve(int buffers)
    {
        if (_own is not null && !_own.TryReserve(buffers))
        {
            return false;
        }

        if (_pool.Budget.TryReserve(buffers * Bytes))
        {
            _pool.Schedule.Wake();
            return true;
        }

        _own?.Release(buffers);
        return false;
    }

    /// <summary>Gives room back.</summary>
    internal void Release(long buffers)
    {
        _own?.Release(buffers);
        _pool.Budget.Release(buffers * Bytes);
    }
}
