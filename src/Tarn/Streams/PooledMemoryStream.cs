using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A <see cref="MemoryStream"/> over pooled memory, and a buffer writer: it grows without copying what it holds.</summary>
/// <remarks>
/// <para>Purpose: any code that takes a <see cref="MemoryStream"/> takes this one. It reads, writes, seeks, grows and fails as that does;
/// lengths may pass 2 GiB. Dispose it: its memory goes back to the pool. One that is forgotten is collected with its arrays, which the
/// pool's checks can report. Not safe for several threads at once, but for <see cref="Stream.Dispose()"/>, which returns the memory once,
/// whoever calls it.</para>
/// <para>Design: <see cref="SegmentedBytes"/> holds the contents in segments, each about as large as all before it together, later a
/// quarter of that; so there are few, and copies between stream and caller are long. The stream is a cursor over them.</para>
/// <para>The cursor lies in the segment that the position lies in. Its <see cref="_limit"/> is the segment's size, or
/// <see cref="Closed"/> when a read or write must take the slow path: the stream is disposed or empty, the position lies behind the
/// length, or cores are to be shared. So the fast path is one comparison and one copy.</para>
/// <para>What it does differently: <see cref="Capacity"/> is what the pool gave, at least what was asked for; after
/// <see cref="Stream.Dispose()"/> contents cannot be had unless <see cref="PooledMemoryStreamOptions.KeepContentsOnDispose"/> is set;
/// <see cref="SetLength"/> on a disposed stream throws <see cref="ObjectDisposedException"/>, as all members do.</para>
/// </remarks>
public sealed unsafe partial class PooledMemoryStream : MemoryStream, IBufferWriter<byte>
{
    /// <summary>A limit that no read and no write is within, not even an empty one.</summary>
    private const int Closed = -1;

    /// <summary>The contents. Its current segment is the one that the cursor is in.</summary>
    private SegmentedBytes _bytes;

    /// <summary>The cursor, from the segment's first byte.</summary>
    private int _offset;

    private int _limit = Closed;

    /// <summary>1 until the first Dispose.</summary>
    private int _isOpen = 1;

    /// <summary>An empty stream that takes its memory from <see cref="BufferPool{T}.Shared"/>, none before the first write.</summary>
    public PooledMemoryStream()
    {
        _bytes.Options = PooledMemoryStreamOptions.Default;
        StreamCounters.OnCreated(this);
    }

    /// <summary>
    /// An empty stream that has room already for <paramref name="capacity"/> bytes, in one segment if that is at most 1 GiB.
    /// </summary>
    /// <param name="capacity">Bytes; 0 takes no memory before the first write.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is no such memory.</exception>
    public PooledMemoryStream(long capacity)
        : this(PooledMemoryStreamOptions.Default, capacity)
    {
    }

    /// <summary>An empty stream with options.</summary>
    /// <param name="options">How it works.</param>
    /// <param name="capacity">Bytes to have room for already.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A setting of <paramref name="options"/> has a value that it cannot have, or
    /// <paramref name="capacity"/> is negative, or more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no such memory.</exception>
    public PooledMemoryStream(PooledMemoryStreamOptions options, long capacity = 0)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(capacity);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, options.MaxCapacity);
        _bytes.Options = options;

        // First: a listener may throw, and then nothing must have been taken.
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

    /// <summary>A stream that holds a copy of bytes and reads them next: its position is 0.</summary>
    /// <remarks>Unlike a <see cref="MemoryStream"/> over an array, it has memory of its own and may grow.</remarks>
    /// <param name="contents">The bytes.</param>
    /// <param name="options">How it works; null for the defaults.</param>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="IOException">
    /// <paramref name="contents"/> is longer than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no such memory.</exception>
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

    /// <summary>Where the next read or write begins, in bytes; may lie behind the length.</summary>
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
    /// The bytes the stream has room for, or <see cref="int.MaxValue"/> if it has room for more; setting it takes memory, or gives back
    /// what lies behind it.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The length does not fit in an <see cref="int"/>, nor does the capacity. Use <see cref="CapacityLong"/>.
    /// </exception>
    /// <inheritdoc cref="CapacityLong" path="/exception"/>
    public override int Capacity
    {
        get
        {
            // A capacity that was set to less is rounded up to what the pool has.
            long capacity = CapacityLong;
            return _bytes.Length <= int.MaxValue
                ? (int)Math.Min(capacity, int.MaxValue)
                : throw new InvalidOperationException(
                    $"The capacity is {capacity} bytes, which does not fit in {nameof(Capacity)}. Use {nameof(CapacityLong)}.");
        }

        set => CapacityLong = value;
    }

    /// <summary>
    /// The bytes the stream has room for: what the pool gave, which is at least what was asked for. Setting it to more takes memory in one
    /// segment if that is at most 1 GiB; to less, gives back the segments that lie behind it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The value is less than the length, or more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no such memory; the stream is unchanged.</exception>
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

    /// <summary>The position, for members that know that the stream is open.</summary>
    private long Cursor => _bytes.CurrentStart + _offset;

    /// <summary>The byte at the cursor.</summary>
    private ref byte Here
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AddByteOffset(
            ref _bytes.CurrentArray is { } array ? ref MemoryMarshal.GetArrayDataReference(array) : ref *_bytes.CurrentPointer,
            (nuint)(uint)_offset);
    }

    /// <summary>Moves the position.</summary>
    /// <param name="offset">Bytes, from <paramref name="loc"/>.</param>
    /// <param name="loc">The beginning, the position, or the end.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="IOException">The position would lie before the beginning.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position would not fit in a <see cref="long"/>.</exception>
    /// <exception cref="ArgumentException"><paramref name="loc"/> is no such value.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Seek(long offset, SeekOrigin loc)
    {
        ThrowIfDisposed();
        long position = StreamPosition.Find(offset, loc, Cursor, _bytes.Length);
        Position = position;
        return position;
    }

    /// <summary>Cuts the contents, or extends them with zeros; the position stays, but never behind the new length.</summary>
    /// <param name="value">The length in bytes.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="value"/> is negative.</exception>
    /// <exception cref="IOException">More than <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; the stream is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no such memory; the stream is unchanged.</exception>
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

    /// <summary>Does nothing: there is nothing behind this stream.</summary>
    public override void Flush()
    {
    }

    /// <summary>Gives the memory back once, however often and from whichever thread it is called.</summary>
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

        // Last: a listener may throw.
        StreamCounters.OnDisposed(this, length);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Close();
        base.Dispose(disposing);
    }

    /// <summary>Gives all memory back and empties the stream.</summary>
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
