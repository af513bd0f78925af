using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// A lease on a buffer of exactly the requested length. Disposing it returns the buffer, and only the first dispose has an effect.
/// </summary>
/// <remarks>
/// A lease lives on the stack of one thread, so it needs no synchronization and allocates nothing. A copy (an assignment or a by-value
/// argument) would return the buffer a second time, so pass a lease by <c>ref</c>. A lease throws when it is used after
/// <see cref="Dispose"/>.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public ref struct BufferLease<T>
{
    private readonly BufferPool<T> _pool;
    private readonly int _length;
    private readonly nint _entry;
    private T[]? _array;

    /// <param name="pool">The pool that takes the buffer back.</param>
    /// <param name="array">The buffer, at least <paramref name="length"/> long.</param>
    /// <param name="length">The requested length.</param>
    /// <param name="entry">The address of this thread's cache entry that the buffer came from, or 0.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BufferLease(BufferPool<T> pool, T[] array, int length, nint entry)
    {
        _pool = pool;
        _array = array;
        _length = length;
        _entry = entry;
    }

    /// <summary>The buffer. Its contents are undefined until written.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed, or is a default instance.</exception>
    public readonly Span<T> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            T[]? array = _array;
            if (array is null)
            {
                PoolThrow.LeaseDisposed();
            }

            return MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(array), _length);
        }
    }

    /// <summary>The requested length, in elements. It remains readable after <see cref="Dispose"/>.</summary>
    public readonly int Length => _length;

    /// <summary>The buffer as a segment of its array, for methods that take one. Do not keep it past <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed, or is a default instance.</exception>
    public readonly ArraySegment<T> Segment
    {
        get
        {
            T[]? array = _array;
            if (array is null)
            {
                PoolThrow.LeaseDisposed();
            }

            return new ArraySegment<T>(array, 0, _length);
        }
    }

    /// <summary>Returns the buffer to its pool. Further calls do nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose()
    {
        T[]? array = _array;
        if (array is null)
        {
            return;
        }

        _array = null;
        if (_entry != 0)
        {
            ref CacheEntry entry = ref BufferPool<T>.EntryAt(_entry);
            if (entry.Top == (object)array && entry.IsTopFree == 0)
            {
                entry.IsTopFree = 1;
                return;
            }
        }

        _pool.ReturnLeased(array);
    }
}
