using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// A buffer writer whose contents are a <see cref="ReadOnlySequence{T}"/>: of its own segments, of owned memory that was appended, and of
/// memory of others that it refers to.
/// </summary>
/// <remarks>
/// <para>Purpose: messages that are composed of parts, and protocols that consume what they receive from the front. Nothing is copied but
/// what <see cref="Write"/> is given. <see cref="AdvanceTo"/> gives back the memory of what was consumed, <see cref="Slice"/> keeps a part
/// of it, and <see cref="Detach"/> hands the contents on.</para>
/// <para>A builder serves one thread at a time, except that any thread may call <see cref="Dispose"/> at any time. A call that this
/// overtakes completes or throws <see cref="ObjectDisposedException"/>, and all memory goes back once. A copy that had begun into an array
/// may end in an array that the pool handed out again, as with any pool. A sequence stays valid while more is added, until the part it
/// refers to is given up by <see cref="AdvanceTo"/>, <see cref="Clear"/> or <see cref="Dispose"/>: the builder uses its segments again. A
/// forgotten builder is collected with its arrays, and a pool with <see cref="BufferChecks.Leaks"/> reports them.</para>
/// <para>No segment of a sequence with elements is empty: room becomes a segment when something is written to it. Arrays whose elements
/// contain references are cleared when they go back.</para>
/// <para>A hit tests the array that it writes to, once. Every other call that changes something enters (<see cref="PinCount"/>), and the
/// last call to leave a disposed builder gives the memory back.</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public sealed partial class SequenceBuilder<T> : IBufferWriter<T>, IDisposable
{
    private readonly BufferPool<T> _pool;

    /// <summary>The pool's arrays where they count in a budget of the builder's; else null.</summary>
    private readonly BudgetedArrays<T>? _budgeted;

    /// <summary>
    /// The segments. Each has elements, except that all of an only one may have been consumed. The last one's memory may reach past what
    /// was written to it.
    /// </summary>
    private BuilderNode<T>? _first;
    private BuilderNode<T>? _last;

    /// <summary>The index of the first element in the first segment; those before it were consumed.</summary>
    private int _firstIndex;

    /// <summary>
    /// The array of the last segment while hits may write to it; else null. The numbers stay as they are when the builder is disposed: each
    /// hit reads this field first.
    /// </summary>
    private T[]? _array;

    /// <summary>The segment that owns the array that was last written to; null while there is none.</summary>
    private BuilderNode<T>? _owning;

    /// <summary>Where the next element goes in that array, and where the last segment begins in it if that one lies there.</summary>
    private int _offset;
    private int _start;

    /// <summary>The elements that may be written at the offset: none unless the last segment is the array's last one.</summary>
    private int _room;

    /// <summary>Whether the builder was disposed, and the calls inside.</summary>
    private PinCount _calls;

    /// <summary>Creates an empty builder over the shared pool.</summary>
    public SequenceBuilder()
        : this(BufferPool<T>.Shared)
    {
    }

    /// <summary>Creates an empty builder.</summary>
    /// <param name="pool">The pool that provides the builder's own segments.</param>
    /// <param name="budget">
    /// The budget that the bytes of these segments are taken from, with their slack, and those of copies that <see cref="Slice"/> makes;
    /// null, the default, for none. They return with the memory, whoever holds it last: the builder, a slice, or what
    /// <see cref="Detach"/> returned. What was appended does not count here. The builder never waits for the budget.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    public SequenceBuilder(BufferPool<T> pool, BufferBudget? budget = null)
    {
        ArgumentNullException.ThrowIfNull(pool);
        _pool = pool;
        _budgeted = BudgetedArrays<T>.Of(pool, budget);
    }

    /// <summary>The number of elements: those added and not yet consumed.</summary>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public long Length
    {
        get
        {
            long length = CountElements();
            ThrowIfDisposedSince();
            return length;
        }
    }

    /// <summary>The elements as a sequence, without a copy.</summary>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public ReadOnlySequence<T> Sequence
    {
        get
        {
            ReadOnlySequence<T> sequence = default;
            try
            {
                sequence = CountElements() > 0 && _first is { } first && _last is { } last
                    ? new ReadOnlySequence<T>(first, _firstIndex, last, LengthOfLast(last))
                    : ReadOnlySequence<T>.Empty;
            }
            catch (Exception) when (_calls.IsDisposed)
            {
                // A disposal takes the segments apart while they are read, and what is left of them is no sequence.
            }

            ThrowIfDisposedSince();
            return sequence;
        }
    }

    /// <summary>Returns room after the elements. <see cref="Advance"/> then adds what was written to it.</summary>
    /// <param name="sizeHint">The least number of contiguous elements; 0 requests any number, but at least one.</param>
    /// <returns>The room, contents undefined, valid until the next call that adds elements.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the contents are unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the contents are unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<T> GetSpan(int sizeHint = 0)
    {
        T[]? array = _array;
        int room = _room;
        return (uint)sizeHint < (uint)room && array is not null ? new Span<T>(array, _offset, room) : GetMemorySlow(sizeHint).Span;
    }

    /// <inheritdoc cref="GetSpan"/>
    public Memory<T> GetMemory(int sizeHint = 0)
    {
        T[]? array = _array;
        int room = _room;
        return (uint)sizeHint < (uint)room && array is not null ? new Memory<T>(array, _offset, room) : GetMemorySlow(sizeHint);
    }

    /// <summary>Adds the first elements of the room that <see cref="GetSpan"/> or <see cref="GetMemory"/> returned.</summary>
    /// <param name="count">The number of elements written to it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than the room.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        int room = _room;
        if ((uint)(count - 1) >= (uint)room || _array is null)
        {
            AdvanceSlow(count);
            return;
        }

        _offset += count;
        _room = room - count;
    }

    /// <summary>Adds a copy of elements.</summary>
    /// <param name="source">The elements, which may be a part of the builder's own.</param>
    /// <exception cref="BufferBudgetExceededException">A budget has no room; the contents are unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the contents are unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public void Write(ReadOnlySpan<T> source)
    {
        T[]? array = _array;
        int offset = _offset;
        int room = _room;
        if (source.Length > room || array is null)
        {
            WriteSlow(source);
            return;
        }

        source.CopyTo(new Span<T>(array, offset, source.Length));
        _offset = offset + source.Length;
        _room = room - source.Length;
    }

    /// <summary>Appends owned memory without a copy. The builder owns it from then on.</summary>
    /// <param name="owner">
    /// The owner, which the builder disposes once its elements were consumed, or whoever disposes what <see cref="Detach"/> returned. One
    /// without elements is disposed at once. If the call throws, it stays the caller's.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="owner"/> is null.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for a segment; the contents are unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder, or the owner, was disposed.</exception>
    public void Append([TakesOwnership] IMemoryOwner<T> owner)
    {
        ArgumentNullException.ThrowIfNull(owner);
        using Inside inside = Enter();
        ReadOnlyMemory<T> memory = owner.Memory;
        if (memory.IsEmpty)
        {
            owner.Dispose();
        }
        else
        {
            Add(memory).Owner = owner;
        }
    }

    /// <summary>Appends a slice without a copy. The builder holds its buffer from then on, in place of the caller.</summary>
    /// <param name="slice">
    /// The slice, which ends with the call: the value and its copies are refused from then on. The builder disposes its hold once the
    /// elements were consumed, or whoever disposes what <see cref="Detach"/> returned. If the call throws, it stays the caller's.
    /// </param>
    /// <exception cref="OutOfMemoryException">There is no memory for a segment; the contents are unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder, or the slice, was disposed.</exception>
    public void Append([TakesOwnership] CountedSlice<T> slice)
    {
        using Inside inside = Enter();
        if (slice.Length == 0)
        {
            slice.Dispose();
            return;
        }

        ReadOnlyMemory<T> memory = slice.Memory;
        UnlinkEmpty();
        BuilderNode<T> node = TakeNode();
        try
        {
            node.Slice = slice.Move();
        }
        catch
        {
            Keep(node);
            throw;
        }

        AddLast(node, memory);
    }

    /// <summary>Appends memory of others without a copy: the sequence refers to it.</summary>
    /// <param name="memory">
    /// The memory. Its owner keeps it, unchanged, until the elements were consumed, the builder cleared or disposed, or what
    /// <see cref="Detach"/> returned disposed.
    /// </param>
    /// <exception cref="OutOfMemoryException">There is no memory for a segment; the contents are unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public void AppendReference(ReadOnlyMemory<T> memory)
    {
        using Inside inside = Enter();
        if (!memory.IsEmpty)
        {
            Add(memory);
        }
    }

    /// <summary>Takes a slice of a part of the elements, which stays valid whatever happens to the builder.</summary>
    /// <param name="start">The first element, from the first that was not consumed.</param>
    /// <param name="length">The number of elements.</param>
    /// <returns>
    /// The slice. Dispose it once. It shares the memory if the part is in one of the builder's own segments or in one slice that was
    /// appended. Otherwise the call copies the part to a buffer of the pool.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the elements.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room for the copy; the builder is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the builder is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public CountedSlice<T> Slice(long start, int length)
    {
        Enter();
        CountedSlice<T> slice = default;
        try
        {
            slice = SegmentList.Slice(_pool, _budgeted, Sequence, start, length);
            return slice;
        }
        finally
        {
            Leave(slice);
        }
    }

    /// <summary>Gives up the elements before a position, and gives back the memory of the segments that end there.</summary>
    /// <param name="consumed">A position in a <see cref="Sequence"/> of the present elements.</param>
    /// <exception cref="ArgumentException">The position is not in the present elements. Nothing was given up.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public void AdvanceTo(SequencePosition consumed)
    {
        using Inside inside = Enter();
        if (CountElements() == 0 && consumed.Equals(ReadOnlySequence<T>.Empty.Start))
        {
            return;
        }

        int index = consumed.GetInteger();
        BuilderNode<T>? node = _first;
        while (node is not null && node != consumed.GetObject())
        {
            node = node.Following;
        }

        int length = node == _last ? LengthOfLast(_last) : node?.Memory.Length ?? 0;
        if (node is null || index < (node == _first ? _firstIndex : 0) || index > length)
        {
            throw new ArgumentException(
                $"The position is not in the present elements: take it from a {nameof(Sequence)} read since the last {nameof(AdvanceTo)}, "
                + $"{nameof(Clear)} or {nameof(Detach)}.",
                nameof(consumed));
        }

        // Consumed to its end, a segment goes, unless the next elements go into it.
        if (index == length && (node != _last || _room == 0 || _unwritten is not null))
        {
            node = node.Following;
            index = 0;
        }

        DropBefore(node, index);
    }

    /// <summary>Gives up all elements, and gives back all memory. The builder can be used again.</summary>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public void Clear()
    {
        using Inside inside = Enter();
        GiveBack(TakeAll());
    }

    /// <summary>Moves the elements to an owner, without a copy. The builder is empty afterwards and can be used again.</summary>
    /// <returns>The owner. Dispose it once the elements are no longer used.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the owner; the builder is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    public OwnedSequence<T> Detach()
    {
        using Inside inside = Enter();
        UnlinkEmpty();
        DetachedSegments<T> owned = new(_pool, _budgeted, Sequence, _first);
        Forget();
        return owned;
    }

    /// <summary>Gives back all memory: arrays to the pool, appended owners to whoever made them. Further calls do nothing.</summary>
    public void Dispose()
    {
        bool isOver = _calls.Dispose();

        // A call inside may set another one until it leaves.
        _array = null;
        if (isOver)
        {
            GiveUp();
        }
    }

    private void ThrowIfDisposed()
    {
        if (_calls.IsDisposed)
        {
            WriterThrow.Disposed(nameof(SequenceBuilder<>));
        }
    }

    /// <summary>
    /// Throws if the builder is disposed, for members that have not entered and have read what they return: a member that verified before
    /// it read would speak of an empty builder.
    /// </summary>
    private void ThrowIfDisposedSince()
    {
        Volatile.ReadBarrier();
        ThrowIfDisposed();
    }

    private void GiveUp() => SegmentList.GiveBack(_pool, _budgeted, TakeAll());

    /// <summary>A call inside the builder, which ends when this is disposed.</summary>
    private readonly struct Inside(SequenceBuilder<T> builder) : IDisposable
    {
        public void Dispose() => builder.Leave();
    }
}
