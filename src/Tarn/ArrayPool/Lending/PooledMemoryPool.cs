using System.Buffers;
using System.Numerics;

namespace Tarn;

/// <summary>A <see cref="BufferPool{T}"/> as the <see cref="MemoryPool{T}"/> that pipes need.</summary>
/// <remarks>
/// Each rent allocates one owner: a <see cref="PooledMemoryOwner{T}"/>, or a <see cref="CheckedMemoryOwner{T}"/> if the pool has checks.
/// </remarks>
internal sealed class PooledMemoryPool<T>(BufferPool<T> pool, BlockLengths lengths) : MemoryPool<T>
{
    private readonly int _smallest = lengths.Min;
    private readonly int _largest = lengths.Max;
    private readonly int _default = lengths.DefaultLength<T>();

    /// <summary>The greatest length that a block gets by growth; 0 without growth.</summary>
    private readonly int _growthLimit = lengths.GrowthLimit<T>();

    /// <summary>The elements of all blocks in use, which only a memory pool that grows counts.</summary>
    private long _inUse;

    /// <inheritdoc/>
    public override int MaxBufferSize => _largest;

    /// <summary>Whether blocks never move.</summary>
    internal bool IsPinned { get; } = pool.IsPinned;

    /// <inheritdoc/>
    public override IMemoryOwner<T> Rent(int minBufferSize = -1)
    {
        if (minBufferSize < -1 || minBufferSize > _largest)
        {
            PoolThrow.BlockLengthOutOfRange(nameof(minBufferSize), minBufferSize, _largest);
        }

        int length = minBufferSize == -1 ? _default : Math.Max(minBufferSize, _smallest);
        if (_growthLimit > 0)
        {
            length = Math.Max(length, GrownLength());
        }

        if (pool.Ledger is { } ledger)
        {
            return RentChecked(length, ledger);
        }

        // The owner comes first: if there is no memory for it, no buffer has been rented.
        PooledMemoryOwner<T> owner = new(this);
        T[] array = pool.Rent(length);
        CountInUse(LengthOf(array));
        owner.Begin(array);
        return owner;
    }

    /// <summary>The length of a block over an array, which may be longer than the greatest block.</summary>
    internal int LengthOf(T[] array) => Math.Min(array.Length, _largest);

    /// <summary>Takes the array of a block back from its owner.</summary>
    internal void TakeBack(T[] array)
    {
        CountInUse(-LengthOf(array));
        pool.Return(array);
    }

    /// <summary>Takes a block back from its checked owner, which may still be pinned.</summary>
    internal void TakeBack(LeasedMemory<T> lease)
    {
        CountInUse(-lease.GetSpan().Length);
        ((IDisposable)lease).Dispose();
    }

    /// <summary>Does nothing, because this object does not own the pool.</summary>
    protected override void Dispose(bool disposing)
    {
    }

    private CheckedMemoryOwner<T> RentChecked(int length, RentLedger ledger)
    {
        LeasedMemory<T> lease = LeasedMemory<T>.Create(pool);
        CheckedMemoryOwner<T> owner = new(this, lease, ledger);
        T[] array = pool.Rent(length);
        CountInUse(LengthOf(array));
        lease.Begin(array, LengthOf(array));
        owner.Begin(ledger.Find(array));
        return owner;
    }

    /// <summary>The length that growth requests: the greatest power of two in the elements in use, at most the limit.</summary>
    private int GrownLength()
    {
        long inUse = Math.Min(Volatile.Read(ref _inUse), _growthLimit);
        return inUse <= 0 ? 0 : 1 << BitOperations.Log2((uint)inUse);
    }

    private void CountInUse(int change)
    {
        if (_growthLimit > 0)
        {
            Interlocked.Add(ref _inUse, change);
        }
    }
}
