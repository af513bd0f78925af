using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A <see cref="MemoryStream"/> over pooled memory, and a buffer writer. It grows without copying its contents.</summary>
/// <remarks>
/// <para>Code that takes a <see cref="MemoryStream"/> accepts this class. It reads, writes, seeks, grows and fails as a
/// <see cref="MemoryStream"/> does, and its length may exceed 2 GiB. Dispose the stream to return its memory to the pool. A forgotten
/// stream is collected with its arrays, which the pool's checks can report. The stream is not safe for concurrent use, except for
/// <see cref="Stream.Dispose()"/>, which returns the memory once, whichever threads call it.</para>
/// <para><see cref="SegmentedBytes"/> holds the contents in segments. Each is about as large as all earlier ones together, and later a
/// quarter of that, so there are few segments, and copies between stream and caller are long. The stream is a cursor over the
/// segments.</para>
/// <para>The cursor is in the segment that contains the position. Its <see cref="_limit"/> is the segment's size, or <see cref="Closed"/>
/// when a read or write must take the slow path because the stream is disposed or empty, the position is past the length, or several cores
/// copy. So the fast path is one comparison and one copy.</para>
/// <para>It differs from <see cref="MemoryStream"/> in three ways. <see cref="Capacity"/> is the size that the pool returned, at least the
/// size requested. After <see cref="Stream.Dispose()"/> the contents are available only if
/// <see cref="PooledMemoryStreamOptions.KeepContentsOnDispose"/> is set. <see cref="SetLength"/> on a disposed stream throws
/// <see cref="ObjectDisposedException"/>, as all members do.</para>
/// </remarks>
public sealed unsafe partial class PooledMemoryStream : MemoryStream, IBufferWriter<byte>
{
    /// <summary>A limit that every read and write exceeds, even an empty one.</summary>
    private const int Closed = -1;

    /// <summary>The contents. Their current segment is the one that contains the cursor.</summary>
    private SegmentedBytes _bytes;

    /// <summary>The cursor, relative to the segment's first byte.</summary>
    private int _offset;

    private int _limit = Closed;

    /// <summary>1 until the first Dispose.</summary>
    private int _isOpen = 1;

    /// <summary>Creates an empty stream that takes memory from <see cref="BufferPool{T}.Shared"/> on its first write.</summary>
    public PooledMemoryStream()
    {
        _bytes.Options = PooledMemoryStreamOptions.Default;
        StreamCounters.OnCreated(this);
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
        _bytes.Options = options;

        // Do this first: a listener may throw, and then no memory must have been taken.
        StreamCounters.OnCreated(this);
        if (_bytes.IsDefault && capacity is > 0 and <= SegmentedBytes.LargestSegment)
        {
            _limit = _bytes.TakeOnly((int)capacity).Length;
        }
        else if (capacity > 0)
        {
            _bytes.Reserve(capacity);
            MoveTo(0);
        }
    }

    /// <summary>Creates a stream with a copy of bytes, at position 0.</summary>
    /// <remarks>Unlike a <see cref="MemoryStream"/> over an array, it has its own memory and can grow.</remarks>
    /// <param name="contents">The bytes to copy.</param>
    /// <param name="options">The stream's options; null for the defaults.</param>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="IOException">
    /// <paramref name="contents"/> is longer than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledMemoryStream(ReadOnlySpan<byte> contents, PooledMemoryStreamOptions? options = null)
        : this(options ?? PooledMemoryStreamOptions.Default)
    {
        try
        {
            Write(contents);
        }
        catch
        {
            Close();
            throw;
        }

        Position = 0;
    }

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanRead => _isOpen != 0;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanSeek => _isOpen != 0;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanWrite => _isOpen != 0;

    /// <summary>The length in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Length
    {
        get
        {
            ThrowIfDisposed();
            return _bytes.Length;
        }
    }

    /// <summary>The position of the next read or write, in bytes. It may be past the length.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Position
    {
        get
        {
            ThrowIfDisposed();
            return Cursor;
        }

        set
        {
            long offset = value - _bytes.CurrentStart;
            if ((ulong)offset <= (ulong)(long)_limit && _limit >= 0 && (ulong)value <= (ulong)_bytes.Length)
            {
                _offset = (int)offset;
                return;
            }

            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ThrowIfDisposed();
            MoveTo(value);
        }
    }

    /// <summary>
    /// The bytes the stream has room for, or <see cref="int.MaxValue"/> if it has room for more. Setting it takes memory, or returns memory
    /// past the new capacity.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The length, and so the capacity, does not fit in an <see cref="int"/>. Use <see cref="CapacityLong"/>.
    /// </exception>
    /// <inheritdoc cref="CapacityLong" path="/exception"/>
    public override int Capacity
    {
        get
        {
            // A capacity that was set below this is rounded up to the pool's size.
            long capacity = CapacityLong;
            return _bytes.Length <= int.MaxValue
                ? (int)Math.Min(capacity, int.MaxValue)
                : throw new InvalidOperationException(
                    $"The capacity is {capacity} bytes, which does not fit in {nameof(Capacity)}. Use {nameof(CapacityLong)}.");
        }

        set => CapacityLong = value;
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
    public long CapacityLong
    {
        get
        {
            ThrowIfDisposed();
            return _bytes.Room;
        }

        set
        {
            ThrowIfDisposed();
            ArgumentOutOfRangeException.ThrowIfLessThan(value, _bytes.Length);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Options.MaxCapacity);
            long position = Cursor;
            if (value == 0)
            {
                GiveUp();
            }
            else
            {
                _bytes.ChangeRoom(value);
            }

            MoveTo(position);
        }
    }

    /// <summary>The contents, for <see cref="StreamTransfer"/>: code that changes the segments moves the cursor.</summary>
    internal ref SegmentedBytes Bytes => ref _bytes;

    private PooledMemoryStreamOptions Options => _bytes.Options;

    /// <summary>The position, for members that have verified that the stream is open.</summary>
    private long Cursor => _bytes.CurrentStart + _offset;

    /// <summary>The byte at the cursor.</summary>
    private ref byte Here
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AddByteOffset(
            ref _bytes.CurrentArray is { } array ? ref MemoryMarshal.GetArrayDataReference(array) : ref *_bytes.CurrentPointer,
            (nuint)(uint)_offset);
    }

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
        ThrowIfDisposed();
        long position = StreamPosition.Find(offset, loc, Cursor, _bytes.Length);
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
        ThrowIfDisposed();
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        long position = Cursor;
        if (value > _bytes.Length)
        {
            _bytes.GiveBack(_bytes.Extend(value, value));
        }
        else
        {
            _bytes.NoteExposed(_bytes.Length);
        }

        _bytes.Length = value;
        MoveTo(Math.Min(position, value));
    }

    /// <summary>Does nothing, because the stream has no underlying device.</summary>
    public override void Flush()
    {
    }

    /// <summary>Returns the memory once, however many threads call it.</summary>
    public override void Close()
    {
        if (Interlocked.Exchange(ref _isOpen, 0) == 0)
        {
            return;
        }

        long length = _bytes.Length;
        _limit = Closed;
        if (_bytes.IsDefault && _bytes.Table is null)
        {
            _offset = 0;
            _bytes.GiveUpOnly();
        }
        else if (Options.KeepContentsOnDispose)
        {
            _bytes.DropPending();
        }
        else
        {
            GiveUp();
        }

        // Do this last, because a listener may throw.
        StreamCounters.OnDisposed(this, length);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Close();
        base.Dispose(disposing);
    }

    /// <summary>Returns all memory and empties the stream.</summary>
    private void GiveUp()
    {
        _offset = 0;
        _limit = Closed;
        _bytes.GiveUp();
    }

    /// <summary>Puts the cursor at <paramref name="position"/>, in a segment if one has room there.</summary>
    internal void MoveTo(long position)
    {
        int size = _bytes.Select(position);
        _offset = (int)(position - _bytes.CurrentStart);
        _limit = size == 0 || position > _bytes.Length || Options.ParallelCopyThreshold > 0 || _isOpen == 0 ? Closed : size;
    }

    internal void ThrowIfDisposed()
    {
        if (_isOpen == 0)
        {
            StreamThrow.Disposed();
        }
    }
}
