using System.Numerics;

namespace Tarn;

/// <summary>What the owners of one memory pool's blocks must know of it. It does not keep the pool of arrays alive.</summary>
/// <remarks>
/// Idle owners keep these terms, because most owners return to the memory pool they came from, and storing a reference for each rent would
/// cost a write barrier.
/// </remarks>
internal sealed class BlockTerms<T>(BufferPool<T> pool, BufferMemoryPoolOptions options)
{
    private readonly WeakReference<BufferPool<T>> _pool = pool.Weak;
    private readonly int _largest = options.GreatestLength;

    /// <summary>The greatest length that a block gets by growth; 0 without growth.</summary>
    private readonly int _growthLimit = options.GrowthLimit<T>();

    /// <summary>The elements of all blocks in use, which only a memory pool that grows counts.</summary>
    private long _inUse;

    /// <summary>Whether blocks never move.</summary>
    internal bool IsPinned { get; } = pool.IsPinned;

    /// <summary>Whether blocks are cleared when they return.</summary>
    internal bool ClearsOnReturn { get; } = options.ClearsOnReturn;

    /// <summary>The length of a block over an array, which may be longer than the greatest block.</summary>
    internal int LengthOf(T[] array) => Math.Min(array.Length, _largest);

    /// <summary>Returns the array of a block to its pool, or drops it if the pool is gone.</summary>
    internal void TakeBack(T[] array)
    {
        CountReturned(LengthOf(array));
        if (_pool.TryGetTarget(out BufferPool<T>? pool))
        {
            pool.Return(array, ClearsOnReturn);
        }
    }

    /// <summary>The length that growth asks for; 0 without growth, or with no block in use.</summary>
    internal int GrownLength()
    {
        long inUse = Math.Min(Volatile.Read(ref _inUse), _growthLimit);
        return inUse <= 0 ? 0 : 1 << BitOperations.Log2((uint)inUse);
    }

    internal T[] CountRented(T[] array)
    {
        if (_growthLimit > 0)
        {
            Interlocked.Add(ref _inUse, LengthOf(array));
        }

        return array;
    }

    internal void CountReturned(int length)
    {
        if (_growthLimit > 0)
        {
            Interlocked.Add(ref _inUse, -length);
        }
    }
}
