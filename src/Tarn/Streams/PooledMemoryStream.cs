using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A <see cref="MemoryStream"/> over pooled memory, and a buffer writer. It grows without copying its contents.</summary>
/// <remarks>
/// <para>Code that takes a <see cref="MemoryStream"/> accepts this class. It reads, writes, seeks, grows and fails as a
/// <see cref="MemoryStream"/> does, and its length may exceed 2 GiB. Dispose the stream to return its memory to the pool. A forgotten
/// stream is collected with its arrays, which the pool's checks can report. The stream is not safe for concurrent use, except for
/// <see cref="Stream.Dispose()"/>, which returns the memory once, whichever threads call it. A call that another thread's
/// <see cref="Stream.Dispose()"/> overtakes throws <see cref="ObjectDisposedException"/> or completes.</para>
/// <para><see cref="SegmentedBytes"/> holds the contents in segments. Each is about as large as all earlier ones together, and later a
/// quarter of that, so there are few segments, and copies between stream and caller are long. The stream is a cursor over the
/// segments.</para>
/// <para>The cursor is in the segment that contains the position. Its <see cref="StreamAccess.Limit"/> is the segment's size, or
/// <see cref="StreamAccess.Closed"/> when a read or write must take the slow path because the stream is disposed or empty, the position is
/// past the length, or several cores copy. So the fast path is one comparison and one copy. No slow path is inlined: callers would have
/// no room left to inline the fast ones.</para>
/// <para>It differs from <see cref="MemoryStream"/> in three ways. <see cref="Capacity"/> is the size that the pool returned, at least the
/// size requested. After <see cref="Stream.Dispose()"/> the contents are available only if
/// <see cref="PooledMemoryStreamOptions.KeepContentsOnDispose"/> is set. <see cref="SetLength"/> on a disposed stream throws
/// <see cref="ObjectDisposedException"/>, as all members do.</para>
/// </remarks>
public sealed unsafe partial class PooledMemoryStream : MemoryStream, IBufferWriter<byte>
{
    private StreamCursor _at;

    /// <summary>Creates an empty stream that takes memory from <see cref="BufferPool{T}.Shared"/> on its first write.</summary>
    public PooledMemoryStream()
    {
        Begin(PooledMemoryStreamOptions.Default);
        if (StreamCounters.HearsCreations)
        {
            TellCreated();
        }
    }

    /// <summary>Creates an empty stream with room for <paramref name="capacity"/> bytes, in one segment if that is at most 1 GiB.</summary>
    /// <param name="capacity">The room in bytes; 0 takes no memory before the first write.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledMemoryStream(long capacity)
        : this(PooledMemoryStreamOptions.Default, capacity)
    {
    }

    /// <summary>Creates an empty stream with options.</summary>
    /// <param name="options">The stream's options.</param>
    /// <param name="capacity">The initial room in bytes.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A setting of <paramref name="options"/> is out of range, or <paramref name="capacity"/> is negative or more than
    /// <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledMemoryStream(PooledMemoryStreamOptions options, long capacity = 0)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(capacity);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, options.MaxCapacity);
        Begin(
            options.Budget is { } budget
                ? new PooledMemoryStreamOptions(options) { Holder = new BudgetHolder(budget, nameof(PooledMemoryStream)) }
                : options);

        // Do this first: a listener may throw, and then no memory must have been taken.
        if (StreamCounters.HearsCreations)
        {
            TellCreated();
        }

        if (capacity is > 0 and <= SegmentedBytes.LargestSegment && _at.Bytes.IsFresh)
        {
            _at.Access.Limit = _at.Bytes.TakeOnly((int)capacity);
        }
        else if (capacity > 0)
        {
            _at.Bytes.Reserve(capacity);
            MoveTo(0);
        }
    }

    /// <summary>What the stream is for, as its options say, or null. It remains readable after the stream is disposed.</summary>
    public string? Tag => Options.Tag;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanRead => !_at.Access.Calls.IsDisposed;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanSeek => !_at.Access.Calls.IsDisposed;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanWrite => !_at.Access.Calls.IsDisposed;

    /// <summary>The length in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Length
    {
        get
        {
            long length = _at.Bytes.Length;
            ThrowIfDisposedSince();
            return length;
        }
    }

    /// <summary>The position of the next read or write, in bytes. It may be past the length.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Position
    {
        get
        {
            long position = Cursor;
            ThrowIfDisposedSince();
            return position;
        }

        set
        {
            ref StreamCursor at = ref _at;
            long offset = value - at.Bytes.CurrentStart;
            if (offset >= 0 && offset <= at.Access.Limit && value <= at.Bytes.Length)
            {
                at.Bytes.Offset = (int)offset;
            }
            else
            {
                SetPositionSlow(value);
            }
        }
    }

    /// <summary>
    /// The bytes the stream has room for, or <see cref="int.MaxValue"/> if it has room for more. Setting it takes memory, or returns memory
    /// past the new capacity.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The length, and so the capacity, does not fit in an <see cref="int"/>. Use <see cref="LongCapacity"/>.
    /// </exception>
    /// <inheritdoc cref="LongCapacity" path="/exception"/>
    public override int Capacity
    {
        get
        {
            // A capacity that was set below this is rounded up to the pool's size.
            long capacity = LongCapacity;
            return _at.Bytes.Length <= int.MaxValue
                ? (int)Math.Min(capacity, int.MaxValue)
                : throw new InvalidOperationException(
                    $"The capacity is {capacity} bytes, which does not fit in {nameof(Capacity)}. Use {nameof(LongCapacity)}.");
        }

        set => LongCapacity = value;
    }

    /// <summary>
    /// The bytes the stream has room for: the size that the pool returned, at least the size requested. Setting it to more takes memory, in
    /// one segment if that is at most 1 GiB. Setting it to less returns the segments past the new capacity.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The value is less than the length, or more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public long LongCapacity
    {
        get
        {
            long room = _at.Bytes.Room;
            ThrowIfDisposedSince();
            return room;
        }

        set
        {
            using CallInside inside = Enter();
            ArgumentOutOfRangeException.ThrowIfLessThan(value, _at.Bytes.Length);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Options.MaxCapacity);
            long position = Cursor;
            if (value == 0)
            {
                _at.Access.Limit = StreamAccess.Closed;
                _at.Bytes.Empty();
            }
            else
            {
                _at.Bytes.ChangeRoom(value);
            }

            MoveTo(position);
        }
    }

    /// <summary>The contents, for <see cref="StreamTransfer"/>: code that changes the segments moves the cursor.</summary>
    internal ref SegmentedBytes Bytes => ref _at.Bytes;

    private PooledMemoryStreamOptions Options => _at.Bytes.Options;

    /// <summary>The position, for members that have verified that the stream is open.</summary>
    private long Cursor => _at.Position;

    /// <summary>Sets the position relative to an origin.</summary>
    /// <param name="offset">The offset in bytes from <paramref name="loc"/>.</param>
    /// <param name="loc">The origin: the beginning, the current position, or the end.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="IOException">The position would be before the beginning.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position would not fit in a <see cref="long"/>.</exception>
    /// <exception cref="ArgumentException"><paramref name="loc"/> is not a named value.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Seek(long offset, SeekOrigin loc)
    {
        long position = Cursor;
        long length = _at.Bytes.Length;
        ThrowIfDisposedSince();
        position = StreamPosition.Find(offset, loc, position, length);
        Position = position;
        return position;
    }

    /// <summary>Cuts the contents, or extends them with zeros. The position stays, unless it would be past the new length.</summary>
    /// <param name="value">The length in bytes.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="value"/> is negative.</exception>
    /// <exception cref="IOException">
    /// The length would exceed <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; the stream is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void SetLength(long value)
    {
        using CallInside inside = Enter();
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        long position = Cursor;
        if (value > _at.Bytes.Length)
        {
            _at.Bytes.GiveBack(_at.Bytes.Extend(value, value));
        }
        else
        {
            _at.Bytes.NoteExposed(_at.Bytes.Length);
        }

        _at.Bytes.Length = value;
        MoveTo(Math.Min(position, value));
    }

    /// <summary>Does nothing, because the stream has no underlying device.</summary>
    public override void Flush()
    {
    }

    /// <summary>Returns the memory once, however many threads call it. If a call is inside, the last one returns the memory.</summary>
    public override void Close()
    {
        bool isOver = _at.Access.Calls.TryDisposeUnpinned();
        if (!isOver && !_at.Access.Calls.TryDispose(out isOver))
        {
            return;
        }

        // A call inside may set another limit meanwhile, until it leaves.
        long length = _at.Bytes.Length;
        _at.Access.Limit = StreamAccess.Closed;
        if (isOver)
        {
            GiveUp();
        }
        else
        {
            _at.Bytes.Holder?.End();
        }

        // Do this last, because a listener may throw.
        if (StreamCounters.HearsDisposals)
        {
            TellDisposed(length);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Close();
        base.Dispose(disposing);
    }

    /// <summary>Enters a call that changes the segments or reads native memory: until it leaves, a Dispose returns no memory.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    internal CallInside Enter()
    {
        if (!_at.Access.Calls.TryPin())
        {
            StreamThrow.Disposed();
        }

        if (_at.Bytes.CurrentPointer is not null)
        {
            _at.Access.AllowHits();
        }

        return new CallInside(this);
    }

    /// <summary>Ends a call that entered. The last one returns the memory if the stream was disposed meanwhile.</summary>
    internal void Leave()
    {
        if (_at.Access.Calls.Unpin())
        {
            _at.Access.Limit = StreamAccess.Closed;
            GiveUp();
        }
    }

    /// <summary>
    /// Puts the cursor at <paramref name="position"/>, in a segment if one has room there. Only a call that entered may move it, or the
    /// limit of a disposed stream would be set again.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void MoveTo(long position)
    {
        int size = _at.Bytes.Select(position);
        bool isClosed = position > _at.Bytes.Length || Options.ParallelCopyThreshold > 0 || _at.Access.Calls.IsDisposed;
        _at.Access.Limit = isClosed ? StreamAccess.Closed : size;
    }

    internal void ThrowIfDisposed()
    {
        if (_at.Access.Calls.IsDisposed)
        {
            StreamThrow.Disposed();
        }
    }

    /// <summary>Returns the memory of a disposed stream, in which no call is inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void GiveUp()
    {
        if (_at.Bytes.IsDefault && _at.Bytes.Table is null)
        {
            _at.Bytes.GiveUpOnly();
            return;
        }

        _at.Bytes.Holder?.End();
        if (Options.KeepContentsOnDispose)
        {
            _at.Bytes.DropPending();
        }
        else
        {
            _at.Access.WaitForHit();
            _at.Bytes.GiveUp();
        }
    }

    /// <summary>Opens the stream, which has no memory yet. A field initializer would write the whole struct.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Begin(PooledMemoryStreamOptions options) => _at.Bytes.Options = options;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TellCreated() => StreamCounters.TellCreated(this, Tag);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void TellDisposed(long length) => StreamCounters.TellDisposed(this, length, Tag);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SetPositionSlow(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        using CallInside inside = Enter();
        if (value != Cursor)
        {
            MoveTo(value);
        }
    }
}
