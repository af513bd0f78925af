using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A lent buffer of exactly the length asked for; disposing returns it, once however often it is done.</summary>
/// <remarks>
/// It lives on the stack of one thread, so it needs no synchronization and allocates nothing. A copy (by assignment or by value into a
/// method) would return the buffer a second time: pass it by <c>ref</c>. Used after <see cref="Dispose"/> it throws.
/// </remarks>
/// <typeparam name="T">The elements.</typeparam>
public ref struct BufferLease<T>
{
    private readonly BufferPool<T> _pool;
    private readonly int _length;
    private readonly nint _entry;
    private T[]? _array;

    /// <param name="pool">Where the buffer goes back.</param>
    /// <param name="array">The buffer, at least <paramref name="length"/> long.</param>
    /// <param name="length">The length asked for.</param>
    /// <param name="entry">The address of the cache entry it came from, on this thread; 0 when it came from none.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BufferLease(BufferPool<T> pool, T[] array, int length, nint entry)
    {
        _pool = pool;
        _array = array;
        _length = length;
        _entry = entry;
    }

    /// <summary>The buffer, contents undefined until written.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed, or is a default one.</exception>
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

    /// <summary>The length asked for, in elements; readable after <see cref="Dispose"/> too.</summary>
    public readonly int Length => _length;

    /// <summary>The buffer as a segment of its array, for methods that take one. It must not be kept past <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed, or is a default one.</exception>
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

    /// <summary>Returns the buffer to its pool; does nothing when that was done.</summary>
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
