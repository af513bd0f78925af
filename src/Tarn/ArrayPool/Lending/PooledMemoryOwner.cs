using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner of a block of <see cref="PooledMemoryPool{T}"/>. It is never reused.</summary>
/// <remarks>
/// <para>Disposal detaches the array in one atomic step, so of any number of disposals, on any threads, exactly one returns the block. A
/// disposed owner refuses <see cref="Memory"/>. A reused owner could not tell a late disposal from the disposal by the next renter, because
/// both hold the same object, and would return somebody else's block: decision 29 has the costs of both.</para>
/// <para>The memory is that of the array: accesses are as fast as an array's, and sockets and streams need no detour. Memory kept past the
/// disposal is not guarded, as with <see cref="MemoryPool{T}.Shared"/>.</para>
/// </remarks>
internal sealed class PooledMemoryOwner<T>(PooledMemoryPool<T> pool) : IMemoryOwner<T>
{
    /// <summary>The block; null before the rent and after the return. Whoever exchanges it for null returns it.</summary>
    private T[]? _array;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    public Memory<T> Memory
    {
        get
        {
            T[]? array = Volatile.Read(ref _array);
            if (array is null)
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
            pool.TakeBack(array);
        }
    }

    /// <summary>Makes a new owner that of a block.</summary>
    internal void Begin(T[] array) => _array = array;
}
