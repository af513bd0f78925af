using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner of a block of <see cref="PooledMemoryPool{T}"/>. It is reused after it was disposed.</summary>
/// <remarks>
/// <para>Disposal detaches the array in one atomic step, so of any number of disposals of one rent, on any threads, exactly one returns the
/// block. A disposed owner refuses <see cref="Memory"/> until it is handed out again.</para>
/// <para>Nothing tells a late disposal from the disposal by the next renter, because both hold the same object. So reuse is put off:
/// <see cref="IdleOwners{T}"/> hands an owner out again only after <see cref="IdleOwners{T}.Delay"/> others were disposed on the thread
/// that disposed it. A second disposal within that span does nothing. A later one returns the block of whoever has the owner by then. Pools
/// with checks report every second disposal. <see cref="BufferPool{T}.LeaseMemory"/> never reuses an owner, for code that cannot promise to
/// dispose once.</para>
/// <para>The memory is that of the array: accesses are as fast as an array's, and sockets and streams need no detour. Memory kept past the
/// disposal is not guarded, as with <see cref="MemoryPool{T}.Shared"/>.</para>
/// </remarks>
internal sealed class PooledMemoryOwner<T> : IMemoryOwner<T>
{
    /// <summary>The block; null while the owner is idle. Whoever exchanges it for null returns it.</summary>
    private T[]? _array;

    /// <summary>The memory pool; null while the owner is idle, so that an idle owner keeps no pool alive.</summary>
    private PooledMemoryPool<T>? _pool;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    public Memory<T> Memory
    {
        get
        {
            T[]? array = _array;
            PooledMemoryPool<T>? pool = _pool;
            if (array is null || pool is null)
            {
                PoolThrow.LeaseDisposed();
            }

            int length = pool.LengthOf(array);
            return pool.IsPinned ? MemoryMarshal.CreateFromPinnedArray(array, 0, length) : new Memory<T>(array, 0, length);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _array, null) is { } array)
        {
            PooledMemoryPool<T> pool = _pool!;
            _pool = null;
            pool.TakeBack(array);
            IdleOwners<T>.Give(this);
        }
    }

    /// <summary>Makes an idle owner that of a block.</summary>
    internal void Begin(PooledMemoryPool<T> pool, T[] array)
    {
        _pool = pool;
        _array = array;
    }
}
