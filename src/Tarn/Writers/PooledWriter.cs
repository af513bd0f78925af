using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// A buffer writer with contiguous contents, in one buffer of a <see cref="BufferPool{T}"/> or a <see cref="NativeHeap"/> that doubles when
/// full.
/// </summary>
/// <remarks>
/// <para>Purpose: an <see cref="IBufferWriter{T}"/> for serializers, whose result is one span. <see cref="Clear"/> keeps the buffer, so
/// that a writer that is used again allocates nothing. <see cref="Detach"/> hands the contents on without a copy, and
/// <see cref="Reserve"/> leaves a place for a length that is known later. A writer over a <see cref="NativeHeap"/> has its contents in
/// native memory, which the heap reallocates.</para>
/// <para>A writer serves one thread at a time, except that any thread may call <see cref="Dispose"/> at any time. A call that it overtakes
/// completes or throws <see cref="ObjectDisposedException"/>, as every later one does, and the buffer goes back once. A copy that had begun
/// into an array may end in an array that the pool handed out again, as with any pool. Spans and memory taken from a writer cannot be
/// guarded: do not use them after the next call that writes, nor after <see cref="Dispose"/>. A forgotten writer is collected with its
/// buffer, and a pool or heap with <see cref="BufferChecks.Leaks"/> reports it with the stack that rented the buffer.</para>
/// <para>The maximum counts the elements written. A request for room above it gets the room, because serializers ask for more than they
/// write, and <see cref="Advance"/> refuses what would exceed the maximum.</para>
/// <para>A buffer whose elements contain references is cleared when it goes back. Any other is treated as the pool's options say.</para>
/// <para>Each hit tests the array alone. A writer of native memory has none, so its calls go on to the slow paths, as those of a disposed
/// one do.</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public sealed partial class PooledWriter<T> : IBufferWriter<T>, IDisposable
{
    /// <summary>The least length to rent without a request for more.</summary>
    private const int LeastLength = 256;

    private readonly BufferPool<T> _pool = null!;

    /// <summary>The pool's arrays where they count in a budget of the writer's; else null.</summary>
    private readonly BudgetedArrays<T>? _budgeted;

    /// <summary>The native memory instead of arrays, if the writer has such.</summary>
    private readonly HeapContents<T>? _native;
    private readonly int _maxCount;

    /// <summary>
    /// The buffer; empty before the first one, null once disposed and in a writer of native memory. Only atomic exchanges replace it, so
    /// whoever takes an array out of this field returns it, and nobody else does. The numbers stay as they are after disposal: each hit
    /// reads this field first.
    /// </summary>
    private T[]? _array;

    /// <summary>The elements that the buffer may hold: its length, or the maximum if that is less.</summary>
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
    /// <param name="budget">
    /// The budget that the bytes of the buffer are taken from, with its slack; null, the default, for none. They return with the buffer,
    /// or with the owner from <see cref="Detach"/>. While the buffer grows, both the old and the new one count. The writer never waits.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="maxCount"/> is negative, or <paramref name="capacity"/> is negative or above the maximum.
    /// </exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room for the capacity. Nothing was taken.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledWriter(BufferPool<T> pool, int capacity = 0, int maxCount = int.MaxValue, BufferBudget? budget = null)
    {
        ArgumentNullException.ThrowIfNull(pool);
        _maxCount = VerifyMaximum(capacity, maxCount);
        _pool = pool;
        _budgeted = BudgetedArrays<T>.Of(pool, budget);
        _array = capacity > 0 ? Rent(capacity, capacity, held: 0) : [];
        _limit = Math.Min(_array.Length, _maxCount);
    }

    /// <summary>Creates an empty writer whose contents lie in one native buffer.</summary>
    /// <remarks>
    /// The buffer grows as <see cref="NativeBuffer{T}.TryResize"/> does: above 256 KiB in place or by moving OS pages, where the system can
    /// do that, else by a copy. While the contents are pinned, growth moves them to another buffer, and the last unpin frees the old one.
    /// The first element is aligned to 64 bytes. A call takes some nanoseconds more than that of a writer over a pool, because it keeps a
    /// disposal on another thread from freeing the memory that it writes to. Spans from the writer are not protected in this way. Dispose
    /// the writer, and what it detached, before the heap.
    /// </remarks>
    /// <param name="heap">The heap that provides the buffer.</param>
    /// <param name="capacity">The elements to have room for at once; 0, the default, allocates with the first write.</param>
    /// <param name="maxCount">
    /// The most elements that the writer may hold. A value above <see cref="Array.MaxLength"/>, such as the default, counts as that.
    /// </param>
    /// <param name="budget">
    /// The budget that the bytes of the elements are taken from that the buffer has room for; null, the default, for none. They return with
    /// the buffer: with the disposal of the writer or of what it detached, or with the last unpin after it. While a growth copies, both
    /// the old and the new buffer count. The writer never waits.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="heap"/> is null.</exception>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is or contains a reference.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="maxCount"/> is negative, or <paramref name="capacity"/> is negative or above the maximum.
    /// </exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room for the capacity. Nothing was taken.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public PooledWriter(NativeHeap heap, int capacity = 0, int maxCount = int.MaxValue, BufferBudget? budget = null)
    {
        ArgumentNullException.ThrowIfNull(heap);
        WriterThrow.IfReferences<T>(nameof(heap));
        ObjectDisposedException.ThrowIf(heap.IsDisposed, heap);
        _maxCount = VerifyMaximum(capacity, maxCount);
        _native = new HeapContents<T>(heap, budget);
        if (capacity > 0)
        {
            _limit = _native.Grow(capacity, capacity);
        }
    }

    /// <summary>The number of elements written.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public int WrittenCount
    {
        get
        {
            ThrowIfDisposed();
            return _count;
        }
    }

    /// <summary>The elements that fit before the buffer has to grow, written ones included.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public int Capacity
    {
        get
        {
            ThrowIfDisposed();
            return _limit;
        }
    }

    /// <summary>The most elements that the writer may hold.</summary>
    public int MaxCount => _maxCount;

    /// <summary>The elements written, valid until the next call that writes.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public ReadOnlySpan<T> WrittenSpan => Part(0, _count);

    /// <summary>The elements written, valid until the next call that writes.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public ReadOnlyMemory<T> WrittenMemory => MemoryPart(0, _count);

    /// <summary>Returns room after the written elements. <see cref="Advance"/> then adds what was written to it.</summary>
    /// <param name="sizeHint">
    /// The least number of elements, which may be more than <see cref="MaxCount"/> leaves; 0 requests any number, but at least one.
    /// </param>
    /// <returns>
    /// The room, contents undefined, valid until the next call that writes: all that the writer may hold, or more if that was requested.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">No array is so long; the writer is unchanged.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the writer is unchanged.</exception>
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
            : GetMemorySlow(sizeHint);
    }

    /// <summary>Adds the first elements of the room that <see cref="GetSpan"/> or <see cref="GetMemory"/> returned.</summary>
    /// <param name="count">The number of elements written to it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than the room.</exception>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        int before = _count;
        if ((uint)count > (uint)(_limit - before) || _array is null)
        {
            AdvanceSlow(count);
        }

        _count = before + count;
    }

    /// <summary>Adds elements.</summary>
    /// <param name="source">The elements, which may be a part of the writer's own.</param>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the writer is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ReadOnlySpan<T> source)
    {
        T[]? array = _array;
        int count = _count;
        if (source.Length > _limit - count || array is null)
        {
            WriteSlow(source);
            return;
        }

        // The copy comes last: nothing has to be saved across it.
        Span<T> room = new(array, count, source.Length);
        _count = count + source.Length;
        source.CopyTo(room);
    }

    /// <summary>Adds one element.</summary>
    /// <param name="value">The element.</param>
    /// <exception cref="InvalidOperationException">The writer would exceed its maximum; it is unchanged.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the writer is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(T value)
    {
        T[]? array = _array;
        int count = _count;
        if (count >= _limit || array is null)
        {
            WriteSlow(value);
            return;
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
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the writer is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public WriterReservation<T> Reserve(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        int offset = _count;
        if (length > _limit - offset)
        {
            ThrowIfDisposed();
            ThrowIfTooMany(length);
            Grow(length);
        }

        if (_native is null)
        {
            Part(offset, length).Clear();
        }
        else
        {
            _native.Clear(offset, length);
        }

        _count = offset + length;
        return new WriterReservation<T>(this, offset, length, _generation);
    }

    /// <summary>Drops the contents and keeps the buffer.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public void Clear()
    {
        ThrowIfDisposed();
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Part(0, _count).Clear();
        }

        _count = 0;
        _generation++;
    }

    /// <summary>Moves the contents to an owner, without a copy. The writer is empty afterwards and can be used again.</summary>
    /// <returns>
    /// The owner of exactly the written elements: dispose it once they are no longer used. It is one that
    /// <see cref="BufferPool{T}.LeaseMemory"/> returns or, from a writer of native memory, one of the native buffer.
    /// </returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the owner; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public IMemoryOwner<T> Detach()
    {
        IMemoryOwner<T> owner = _native is null ? DetachArray() : _native.Detach(_count);
        _limit = 0;
        _count = 0;
        _generation++;
        return owner;
    }

    /// <summary>Returns the buffer to its pool or heap. Further calls do nothing.</summary>
    public void Dispose()
    {
        if (_native is null)
        {
            GiveBack(Interlocked.Exchange(ref _array, null));
        }
        else
        {
            _native.Dispose();
        }
    }

    /// <summary>The elements of a reservation.</summary>
    /// <exception cref="InvalidOperationException">The contents that the reservation belongs to are gone.</exception>
    internal Span<T> SpanOf(int offset, int length, int generation)
    {
        ThrowIfDisposed();
        if (generation != _generation)
        {
            WriterThrow.ReservationOver();
        }

        return Part(offset, length);
    }
}
