using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A buffer writer with contiguous contents, in one buffer of a <see cref="BufferPool{T}"/> that doubles when full.</summary>
/// <remarks>
/// <para>Purpose: an <see cref="IBufferWriter{T}"/> for serializers, whose result is one span. <see cref="Clear"/> keeps the buffer, so
/// that a writer that is used again allocates nothing. <see cref="Detach"/> hands the contents on without a copy, and
/// <see cref="Reserve"/> leaves a place for a length that is known later.</para>
/// <para>A writer serves one thread at a time. <see cref="Dispose"/> returns the buffer once, however often and from however many threads
/// it is called. Afterwards every other member throws <see cref="ObjectDisposedException"/>. Spans and memory taken from a writer cannot be
/// guarded: do not use them after the next call that writes, nor after <see cref="Dispose"/>. A forgotten writer is collected with its
/// buffer, and a pool with <see cref="BufferChecks.Leaks"/> reports it with the stack that grew it.</para>
/// <para>A buffer whose elements contain references is cleared when it goes back. Any other is treated as the pool's options say.</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public sealed class PooledWriter<T> : IBufferWriter<T>, IDisposable
{
    /// <summary>The least length to rent without a request for more.</summary>
    private const int LeastLength = 256;

    private readonly BufferPool<T> _pool;
    private readonly int _maxCount;

    /// <summary>
    /// The buffer; empty before the first one, null once disposed. Only atomic exchanges replace it, so whoever takes an array out of this
    /// field returns it, and nobody else does. The numbers stay as they are after disposal: each hit reads this field first.
    /// </summary>
    private T[]? _array = [];

    /// <summary>The elements that the array may hold: its length, or the maximum if that is less.</summary>
    private int _limit;
    private int _count;

    /// <summary>Counts the contents that came and went. A reservation is of one of them.</summary>
    private int _generation;

    /// <summary>Creates an empty writer over the shared pool.</summary>
    /// <param name="capacity">The elements to have room for at once; 0, the default, rents with the first write.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledWriter(int capacity = 0)
        : this(BufferPool<T>.Shared, capacity)
    {
    }

    /// <summary>Creates an empty writer.</summary>
    /// <param name="pool">The pool that provides the buffers.</param>
    /// <param name="capacity">The elements to have room for at once; 0, the default, rents with the first write.</param>
    /// <param name="maxCount">
    /// The most elements that the writer may hold. A value above <see cref="Array.MaxLength"/>, such as the default, counts as that.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="maxCount"/> is negative, or <paramref name="capacity"/> is negative or above the maximum.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledWriter(BufferPool<T> pool, int capacity = 0, int maxCount = int.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(pool);
        ArgumentOutOfRangeException.ThrowIfNegative(maxCount);
        _maxCount = Math.Min(maxCount, Array.MaxLength);
        if ((uint)capacity > (uint)_maxCount)
        {
            Throw.Outside(nameof(capacity), capacity, _maxCount);
        }

        _pool = pool;
        if (capacity > 0)
        {
            _array = pool.Rent(capacity);
            _limit = Math.Min(_array.Length, _maxCount);
        }
    }

    /// <summary>The number of elements written.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public int WrittenCount
    {
        get
        {
            _ = GetArray();
            return _count;
        }
    }

    /// <summary>The elements that fit before the buffer has to grow, written ones included.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public int Capacity
    {
        get
        {
            _ = GetArray();
            return _limit;
        }
    }

    /// <summary>The most elements that the writer may hold.</summary>
    public int MaxCount => _maxCount;

    /// <summary>The elements written, valid until the next call that writes.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public ReadOnlySpan<T> WrittenSpan => new(GetArray(), 0, _count);

    /// <summary>The elements written, valid until the next call that writes.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public ReadOnlyMemory<T> WrittenMemory => new(GetArray(), 0, _count);

    /// <summary>Returns room after the written elements. <see cref="Advance"/> then adds what was written to it.</summary>
    /// <param name="sizeHint">The least number of elements; 0 requests any number, but at least one.</param>
    /// <returns>All the room there is, contents undefined, valid until the next call that writes.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<T> GetSpan(int sizeHint = 0)
    {
        T[]? array = _array;
        int count = _count;
        int room = _limit - count;
        return (uint)sizeHint < (uint)room && array is not null ? new Span<T>(array, count, room) : GetSpanSlow(sizeHint);
    }

    /// <inheritdoc cref="GetSpan"/>
    public Memory<T> GetMemory(int sizeHint = 0)
    {
        T[]? array = _array;
        int count = _count;
        int room = _limit - count;
        return (uint)sizeHint < (uint)room && array is not null
            ? new Memory<T>(array, count, room)
            : new Memory<T>(MakeRoom(sizeHint), count, _limit - count);
    }

    /// <summary>Adds the first elements of the room that <see cref="GetSpan"/> or <see cref="GetMemory"/> returned.</summary>
    /// <param name="count">The number of elements written to it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than the room.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        int before = _count;
        if ((uint)count > (uint)(_limit - before) || _array is null)
        {
            RefuseAdvance(count);
        }

        _count = before + count;
    }

    /// <summary>Adds elements.</summary>
    /// <param name="source">The elements, which may be a part of the writer's own.</param>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public void Write(ReadOnlySpan<T> source)
    {
        T[]? array = _array;
        int count = _count;
        if (source.Length > _limit - count || array is null)
        {
            WriteSlow(source);
            return;
        }

        source.CopyTo(new Span<T>(array, count, source.Length));
        _count = count + source.Length;
    }

    /// <summary>Adds one element.</summary>
    /// <param name="value">The element.</param>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(T value)
    {
        T[]? array = _array;
        int count = _count;
        if (count >= _limit || array is null)
        {
            array = MakeRoom(1);
        }

        array[count] = value;
        _count = count + 1;
    }

    /// <summary>Adds a place to write to later, such as for the length of what follows.</summary>
    /// <param name="length">The number of elements.</param>
    /// <returns>
    /// The place, whose elements are default values until it is written to. It follows the contents as they grow, and belongs to them: it
    /// throws after <see cref="Clear"/>, <see cref="Detach"/> and <see cref="Dispose"/>.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public WriterReservation<T> Reserve(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        int offset = _count;
        T[] array = length > _limit - offset ? MakeRoom(length) : GetArray();
        Array.Clear(array, offset, length);
        _count = offset + length;
        return new WriterReservation<T>(this, offset, length, _generation);
    }

    /// <summary>Drops the contents and keeps the buffer.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public void Clear()
    {
        T[] array = GetArray();
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(array, 0, _count);
        }

        _count = 0;
        _generation++;
    }

    /// <summary>Moves the contents to an owner, without a copy. The writer is empty afterwards and can be used again.</summary>
    /// <returns>
    /// The owner of exactly the written elements. It is one that <see cref="BufferPool{T}.LeaseMemory"/> returns: dispose it once the
    /// elements are no longer used.
    /// </returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the owner; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public IMemoryOwner<T> Detach()
    {
        T[] array = GetArray();
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(array, _count, array.Length - _count);
        }

        LeasedMemory<T> owner = LeasedMemory<T>.Create(_pool);
        if (Interlocked.CompareExchange(ref _array, [], array) != array)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        owner.Begin(array, _count);
        _limit = 0;
        _count = 0;
        _generation++;
        return owner;
    }

    /// <summary>Returns the buffer to its pool. Further calls do nothing.</summary>
    public void Dispose() => GiveBack(Interlocked.Exchange(ref _array, null));

    /// <summary>The elements of a reservation.</summary>
    /// <exception cref="InvalidOperationException">The contents that the reservation belongs to are gone.</exception>
    internal Span<T> SpanOf(int offset, int length, int generation)
    {
        T[] array = GetArray();
        if (generation != _generation)
        {
            WriterThrow.ReservationOver();
        }

        return new Span<T>(array, offset, length);
    }

    private T[] GetArray()
    {
        T[]? array = _array;
        if (array is null)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return array;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Span<T> GetSpanSlow(int sizeHint) => new(MakeRoom(sizeHint), _count, _limit - _count);

    [DoesNotReturn]
    private void RefuseAdvance(int count)
    {
        _ = GetArray();
        WriterThrow.PastRoom(count, _limit - _count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ReadOnlySpan<T> source)
    {
        // The source may be a part of the buffer that is replaced: return that last.
        T[] longer = Grow(source.Length, out T[] replaced);
        source.CopyTo(longer.AsSpan(_count));
        _count += source.Length;
        GiveBack(replaced);
    }

    /// <summary>Returns the array, after growing it if it lacks room for a request.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T[] MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        T[] array = GetArray();
        int more = Math.Max(sizeHint, 1);
        if (more > _limit - _count)
        {
            array = Grow(more, out T[] replaced);
            GiveBack(replaced);
        }

        return array;
    }

    /// <summary>Replaces the array by one with room for more elements.</summary>
    /// <param name="more">The elements to have room for after the written ones.</param>
    /// <param name="replaced">The array before, which still holds the contents. The caller returns it.</param>
    private T[] Grow(int more, out T[] replaced)
    {
        T[] array = GetArray();
        ReadOnlySpan<T> contents = new(array, 0, _count);
        if (more > _maxCount - contents.Length)
        {
            WriterThrow.TooMany(contents.Length, more, _maxCount);
        }

        long wanted = Math.Max(contents.Length + (long)more, Math.Max(2L * array.Length, LeastLength));
        T[] longer = _pool.Rent((int)Math.Min(wanted, _maxCount));
        contents.CopyTo(longer);
        if (Interlocked.CompareExchange(ref _array, longer, array) != array)
        {
            // A disposal came between, and returned the array before.
            GiveBack(longer);
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        _limit = Math.Min(longer.Length, _maxCount);
        replaced = array;
        return longer;
    }

    private void GiveBack(T[]? array)
    {
        if (array is { Length: > 0 })
        {
            _pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }
}
