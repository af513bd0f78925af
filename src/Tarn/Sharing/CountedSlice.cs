using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A part of a <see cref="CountedBuffer{T}"/>, for reading, that holds the buffer until it is disposed.</summary>
/// <remarks>
/// <para>A slice is a small value, which fields and queues may hold, other threads may use, and awaits may cross. A copy of the value is
/// the same holder; <see cref="Slice()"/> makes another. Dispose each holder once: a second disposal throws
/// <see cref="ObjectDisposedException"/>, as does every use after it, even when the memory belongs to another owner by then. Memory and
/// spans taken earlier are not guarded.</para>
/// <para>Taking and disposing a slice allocates nothing once warm. All members are safe to call from any thread. The value itself has
/// several words: a field that one thread assigns while another reads it may give the second the words of two slices. Such a value never
/// gives memory outside a buffer. Guard such a field with a lock, or pass slices through a queue.</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public readonly struct CountedSlice<T> : IDisposable, IEquatable<CountedSlice<T>>
{
    private readonly HolderTable<T>? _table;
    private readonly Hold _hold;
    private readonly int _start;

    internal CountedSlice(HolderTable<T> table, Hold hold, int start, int length)
    {
        _table = table;
        _hold = hold;
        _start = start;
        Length = length;
    }

    /// <summary>The length, in elements. It remains readable after <see cref="Dispose"/>.</summary>
    public int Length { get; }

    /// <summary>The elements.</summary>
    /// <exception cref="ObjectDisposedException">The slice was disposed, or is a default instance.</exception>
    /// <exception cref="InvalidOperationException">The value is mixed from two slices; see the remarks of the type.</exception>
    public ReadOnlySpan<T> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // Fields that another thread assigns meanwhile may be those of two slices.
            T[] array = GetArray();
            int start = _start;
            int length = Length;
            SharingThrow.IfTorn(start, length, array.Length);
            return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), start), length);
        }
    }

    /// <summary>The elements as memory. Do not use it after <see cref="Dispose"/>, which cannot be guarded.</summary>
    /// <exception cref="ObjectDisposedException">The slice was disposed, or is a default instance.</exception>
    /// <exception cref="InvalidOperationException">The value is mixed from two slices; see the remarks of the type.</exception>
    public ReadOnlyMemory<T> Memory
    {
        get
        {
            Memory<T> memory = default;
            if (_table is null || !_table.TryGetMemory(_hold, _start, Length, out memory))
            {
                SharingThrow.Disposed();
            }

            return memory;
        }
    }

    /// <summary>Whether this is a default instance, which holds nothing.</summary>
    internal bool IsDefault => _table is null;

    /// <summary>The number of holders of the buffer at this moment.</summary>
    /// <exception cref="ObjectDisposedException">The slice was disposed, or is a default instance.</exception>
    internal int HolderCount
    {
        get
        {
            _ = GetArray();
            return _table!.Count;
        }
    }

    /// <summary>Whether two values are the same holder of the same part.</summary>
    /// <param name="left">A slice.</param>
    /// <param name="right">Another, or a copy.</param>
    public static bool operator ==(CountedSlice<T> left, CountedSlice<T> right) => left.Equals(right);

    /// <summary>Whether two values are not the same holder of the same part.</summary>
    /// <param name="left">A slice.</param>
    /// <param name="right">Another, or a copy.</param>
    public static bool operator !=(CountedSlice<T> left, CountedSlice<T> right) => !left.Equals(right);

    /// <summary>Makes the first elements of a rented array a slice, whose last holder returns the array.</summary>
    /// <param name="pool">The pool that the array is from.</param>
    /// <param name="array">The array. If the call throws, it stays the caller's.</param>
    /// <param name="length">The number of elements.</param>
    /// <param name="origin">What takes the array back; null for the pool.</param>
    /// <exception cref="OutOfMemoryException">There is no memory to note the holder; nothing has changed.</exception>
    internal static CountedSlice<T> Over(BufferPool<T> pool, T[] array, int length, IArrayOrigin<T>? origin = null)
    {
        HolderTable<T> table = IdleTables<T>.Take();
        return new CountedSlice<T>(table, table.Begin(pool, array, origin), 0, length);
    }

    /// <summary>Makes the caller the holder in place of this value and its copies, which are refused from then on.</summary>
    /// <exception cref="ObjectDisposedException">This slice was disposed, or is a default instance.</exception>
    internal CountedSlice<T> Move()
    {
        long token = _table?.Move(_hold) ?? 0;
        if (token == 0)
        {
            SharingThrow.Disposed();
        }

        return new CountedSlice<T>(_table!, _hold with { Token = token }, _start, Length);
    }

    /// <summary>Takes a slice of the same part, another holder of the same buffer.</summary>
    /// <returns>The slice. Dispose it once; this one may be disposed before or after it.</returns>
    /// <exception cref="ObjectDisposedException">This slice was disposed, or is a default instance.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory to note one more holder; nothing has changed.</exception>
    public CountedSlice<T> Slice() => Retain(0, Length);

    /// <summary>Takes a slice from <paramref name="start"/> to the end of this one, another holder of the same buffer.</summary>
    /// <param name="start">The first element, from the beginning of this slice.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="start"/> is outside this slice.</exception>
    /// <inheritdoc cref="Slice()"/>
    public CountedSlice<T> Slice(int start) => Slice(start, Math.Max(0, Length - start));

    /// <summary>Takes a slice of a part of this one, another holder of the same buffer.</summary>
    /// <param name="start">The first element, from the beginning of this slice.</param>
    /// <param name="length">The number of elements.</param>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside this slice.</exception>
    /// <inheritdoc cref="Slice()"/>
    public CountedSlice<T> Slice(int start, int length)
    {
        SharingThrow.UnlessPart(start, length, Length);
        return Retain(start, length);
    }

    /// <summary>Ends this holder's part. The last holder's disposal returns the buffer to its pool.</summary>
    /// <exception cref="ObjectDisposedException">The slice was disposed before, or is a default instance.</exception>
    public void Dispose()
    {
        if (_table is null || !_table.TryRelease(_hold))
        {
            SharingThrow.Disposed();
        }
    }

    /// <summary>Whether <paramref name="other"/> is the same holder of the same part.</summary>
    /// <param name="other">A slice.</param>
    public bool Equals(CountedSlice<T> other) => _table == other._table && _hold == other._hold;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is CountedSlice<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_table, _hold);

    private CountedSlice<T> Retain(int start, int length)
    {
        int place = 0;
        long token = _table is null ? 0 : _table.Retain(_hold, out place);
        if (token == 0)
        {
            SharingThrow.Disposed();
        }

        return new CountedSlice<T>(_table!, new Hold(place, token), _start + start, length);
    }

    private T[] GetArray()
    {
        T[]? array = _table?.ArrayOf(_hold);
        if (array is null)
        {
            SharingThrow.Disposed();
        }

        return array;
    }
}
