using System.Buffers;
using System.Numerics;

namespace Tarn;

/// <summary>A <see cref="BufferPool{T}"/> as the <see cref="MemoryPool{T}"/> that pipes need.</summary>
/// <remarks>
/// Once warm, a rent allocates nothing: <see cref="PooledMemoryOwner{T}"/> describes how owners are reused, and what that costs in safety.
/// A pool with checks hands out a <see cref="CheckedMemoryOwner{T}"/> for each rent instead, which is never reused.
/// </remarks>
internal sealed class PooledMemoryPool<T> : MemoryPool<T>
{
    private readonly BufferPool<T> _pool;
    private readonly int _smallest;
    private readonly int _largest;
    private readonly int _default;

    /// <summary>The greatest length that a block gets by growth; 0 without growth.</summary>
    private readonly int _growthLimit;

    private readonly bool _clearsOnReturn;

    /// <summary>The elements of all blocks in use, which only a memory pool that grows counts.</summary>
    private long _inUse;

    internal PooledMemoryPool(BufferPool<T> pool, BufferMemoryPoolOptions options)
    {
        _pool = pool;
        _smallest = options.SmallestLength;
        _largest = options.GreatestLength;
        _default = options.DefaultLength<T>();
        _growthLimit = options.GrowthLimit<T>();
        _clearsOnReturn = options.ClearsOnReturn;
    }

    /// <inheritdoc/>
    public override int MaxBufferSize => _largest;

    /// <summary>Whether blocks never move.</summary>
    internal bool IsPinned => _pool.IsPinned;

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

        if (_pool.Ledger is { } ledger)
        {
            return RentChecked(length, ledger);
        }

        // The owner comes first: if there is no memory for it, no buffer has been rented.
        PooledMemoryOwner<T> owner = IdleOwners<T>.Take();
        owner.Begin(this, CountRented(_pool.Rent(length)));
        return owner;
    }

    /// <summary>The length of a block over an array, which may be longer than the greatest block.</summary>
    internal int LengthOf(T[] array) => Math.Min(array.Length, _largest);

    /// <summary>Takes a block back from its owner.</summary>
    internal void TakeBack(T[] array)
    {
        CountReturned(LengthOf(array));
        _pool.Return(array, _clearsOnReturn);
    }

    /// <summary>Takes a block back from its checked owner, which may still be pinned.</summary>
    internal void TakeBack(LeasedMemory<T> lease)
    {
        Span<T> block = lease.GetSpan();
        CountReturned(block.Length);
        if (_clearsOnReturn)
        {
            block.Clear();
        }

        ((IDisposable)lease).Dispose();
    }

    /// <summary>Does nothing, because this object does not own the pool.</summary>
    protected override void Dispose(bool disposing)
    {
    }

    private CheckedMemoryOwner<T> RentChecked(int length, RentLedger ledger)
    {
        T[] array = CountRented(_pool.Rent(length));
        LeasedMemory<T> lease = LeasedMemory<T>.Create(_pool, array, LengthOf(array));
        return new CheckedMemoryOwner<T>(this, lease, ledger, ledger.Find(array));
    }

    private int GrownLength()
    {
        long inUse = Math.Min(Volatile.Read(ref _inUse), _growthLimit);
        return inUse <= 0 ? 0 : 1 << BitOperations.Log2((uint)inUse);
    }

    private T[] CountRented(T[] array)
    {
        if (_growthLimit > 0)
        {
            Interlocked.Add(ref _inUse, LengthOf(array));
        }

        return array;
    }

    private void CountReturned(int length)
    {
        if (_growthLimit > 0)
        {
            Interlocked.Add(ref _inUse, -length);
        }
    }
}
