using System.Buffers;

namespace Tarn;

/// <summary>A <see cref="BufferPool{T}"/> as the <see cref="MemoryPool{T}"/> that pipes need.</summary>
/// <remarks>
/// Once warm, a rent allocates nothing: <see cref="PooledMemoryOwner{T}"/> describes how owners are reused, and what that costs in safety.
/// A pool with checks hands out a <see cref="CheckedMemoryOwner{T}"/> for each rent instead, which is never reused.
/// </remarks>
internal sealed class PooledMemoryPool<T> : MemoryPool<T>
{
    private readonly BufferPool<T> _pool;
    private readonly BlockTerms<T> _terms;
    private readonly int _smallest;
    private readonly int _largest;
    private readonly int _default;
    private readonly bool _grows;

    internal PooledMemoryPool(BufferPool<T> pool, BufferMemoryPoolOptions options)
    {
        _pool = pool;
        _terms = new BlockTerms<T>(pool, options);
        _smallest = options.SmallestLength;
        _largest = options.GreatestLength;
        _default = options.DefaultLength<T>();
        _grows = options.GrowsByDoubling;
    }

    /// <inheritdoc/>
    public override int MaxBufferSize => _largest;

    /// <inheritdoc/>
    public override IMemoryOwner<T> Rent(int minBufferSize = -1)
    {
        if (minBufferSize < -1 || minBufferSize > _largest)
        {
            PoolThrow.BlockLengthOutOfRange(nameof(minBufferSize), minBufferSize, _largest);
        }

        int length = minBufferSize == -1 ? _default : Math.Max(minBufferSize, _smallest);
        if (_grows)
        {
            length = Math.Max(length, _terms.GrownLength());
        }

        if (_pool.Ledger is { } ledger)
        {
            return RentChecked(length, ledger);
        }

        // The owner comes first: if there is no memory for it, no buffer has been rented.
        PooledMemoryOwner<T> owner = OwnerRing<T>.Next();
        owner.Begin(_terms, _terms.CountRented(_pool.Rent(length)));
        return owner;
    }

    /// <summary>Takes a block back from its checked owner, which may still be pinned.</summary>
    internal void TakeBack(LeasedMemory<T> lease)
    {
        Span<T> block = lease.GetSpan();
        _terms.CountReturned(block.Length);
        if (_terms.ClearsOnReturn)
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
        T[] array = _terms.CountRented(_pool.Rent(length));
        LeasedMemory<T> lease = LeasedMemory<T>.Create(_pool, array, _terms.LengthOf(array));
        return new CheckedMemoryOwner<T>(this, lease, ledger, ledger.Find(array));
    }
}
