using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A <see cref="MemoryStream"/> over pooled memory, and a buffer writer: it grows without copying what it holds.</summary>
/// <remarks>
/// <para>Purpose: any code that takes a <see cref="MemoryStream"/> takes this one. It reads, writes, seeks, grows and fails as that does;
/// lengths may pass 2 GiB. Dispose it: its memory goes back to the pool. One that is forgotten is collected with its arrays, which the pool's
/// checks can report. Not safe for several threads at once, but for <see cref="Stream.Dispose()"/>, which returns the memory once, whoever calls it.</para>
/// <para>Design: the contents lie in segments, each about as large as all before it together, later a quarter of that; so there are few, and copies
/// between stream and caller are long. The first is replaced by one of four times its size while it is small, as copying less than an OS page
/// is cheaper than keeping book of two segments. A size hint, or a first write, gives one segment.</para>
/// <para>A cursor is kept in the segment that the position lies in. Its <see cref="_limit"/> is the segment's size, or <see cref="Closed"/> when a
/// read or write must take the slow path: the stream is disposed or empty, the position lies behind the length, or cores are to be shared. So
/// the fast path is one comparison and one copy.</para>
/// <para>What it does differently: <see cref="Capacity"/> is what the pool gave, at least what was asked for; after
/// <see cref="Stream.Dispose()"/> contents cannot be had unless <see cref="PooledMemoryStreamOptions.KeepContentsOnDispose"/> is set;
/// <see cref="SetLength"/> on a disposed stream throws <see cref="ObjectDisposedException"/>, as all members do.</para>
/// </remarks>
public sealed unsafe partial class PooledMemoryStream : MemoryStream, IBufferWriter<byte>
{
    /// <summary>A limit that no read and no write is within, not even an empty one.</summary>
    private const int Closed = -1;

    private readonly PooledMemoryStreamOptions _options;

    /// <summary>The segments; null while there is at most one, and that a plain array, <see cref="_array"/>.</summary>
    private SegmentTable? _table;

    /// <summary>The array of the segment that the cursor is in; null in a native one.</summary>
    private byte[]? _array;

    /// <summary>The memory of the segment that the cursor is in, when that is native.</summary>
    private byte* _pointer;

    /// <summary>The position of the segment's first byte.</summary>
    private long _start;

    private long _length;

    /// <summary>The cursor, from the segment's first byte.</summary>
    private int _offset;

    private int _limit = Closed;

    /// <summary>1 until the first Dispose.</summary>
    private int _isOpen = 1;

    /// <summary>An empty stream that takes its memory from <see cref="BufferPool{T}.Shared"/>, none before the first write.</summary>
    public PooledMemoryStream()
    {
        _options = PooledMemoryStreamOptions.Default;
        StreamCounters.OnCreated(this);
    }

    /// <summary>An empty stream that has room already for <paramref name="capacity"/> bytes, in one segment if that is at most 1 GiB.</summary>
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
    /// <paramref name="capacity"/> is negative, or more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no such memory.</exception>
    public PooledMemoryStream(PooledMemoryStreamOptions options, long capacity = 0)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(capacity);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, options.MaxCapacity);
        _options = options;

        // First: a listener may throw, and then nothing must have been taken.
        StreamCounters.OnCreated(this);
        if (IsDefault && capacity is > 0 and <= LargestSegment)
        {
            TakeOnly((int)capacity);
        }
        else if (capacity > 0)
        {
            Reserve(capacity);
            MoveTo(0);
        }
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
            return _length;
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
            return _start + _offset;
        }

        set
        {
            long offset = value - _start;
            if ((ulong)offset <= (ulong)(long)_limit && _limit >= 0 && (ulong)value <= (ulong)_length)
            {
                _offset = (int)offset;
                return;
            }

            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ThrowIfDisposed();
            MoveTo(value);
        }
    }

    /// <summary>The bytes the stream has room for; setting it takes memory, or gives back what lies behind it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than the length, or more than the options allow.</exception>
    /// <exception cref="InvalidOperationException">The capacity is more than an <see cref="int"/> can tell: <see cref="CapacityLong"/> can.</exception>
    /// <exception cref="OutOfMemoryException">There is no such memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int Capacity
    {
        get
        {
            long capacity = CapacityLong;
            return capacity <= int.MaxValue
                ? (int)capacity
                : throw new InvalidOperationException($"The capacity is {capacity} bytes, more than {nameof(Capacity)} can tell; {nameof(CapacityLong)} can.");
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
            return Room;
        }

        set
        {
            ThrowIfDisposed();
            ArgumentOutOfRangeException.ThrowIfLessThan(value, _length);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, _options.MaxCapacity);
            ChangeRoom(value);
        }
    }

    /// <summary>The bytes there is memory for.</summary>
    private long Room => _table is { } table ? table.Capacity : SizeOfOnly;

    /// <summary>The size of the only segment, when there is no table.</summary>
    private int SizeOfOnly => _array is null ? 0 : (int)Math.Min(_array.Length, _options.MaxCapacity);

    /// <summary>The size of the segment that the cursor is in.</summary>
    private int SizeOfCurrent => _table is { Count: > 0 } table ? table[table.Current].Size : SizeOfOnly;

    /// <summary>The byte at the cursor.</summary>
    private ref byte Here
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.AddByteOffset(ref _array is { } array ? ref MemoryMarshal.GetArrayDataReference(array) : ref *_pointer, (nuint)(uint)_offset);
    }

    /// <summary>Moves the position.</summary>
    /// <param name="offset">Bytes, from <paramref name="loc"/>.</param>
    /// <param name="loc">The beginning, the position, or the end.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="IOException">The position would lie before the beginning.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position would be more than a <see cref="long"/> can tell.</exception>
    /// <exception cref="ArgumentException"><paramref name="loc"/> is no such value.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Seek(long offset, SeekOrigin loc)
    {
        ThrowIfDisposed();
        long origin = loc switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _start + _offset,
            SeekOrigin.End => _length,
            _ => throw new ArgumentException($"{loc} is no origin of a seek.", nameof(loc)),
        };
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, long.MaxValue - origin);
        if (origin + offset < 0)
        {
            throw new IOException($"{offset} bytes from {origin} lies before the beginning of the stream.");
        }

        Position = origin + offset;
        return origin + offset;
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
        long position = _start + _offset;
        if (value > _length)
        {
            GiveBack(Extend(value, value));
        }
        else if (_table is { } table)
        {
            table.ExposedTo = Math.Max(table.ExposedTo, _length);
        }

        _length = value;
        MoveTo(Math.Min(position, value));
    }

    /// <summary>Does nothing: there is nothing behind this stream.</summary>
    public override void Flush()
    {
    }

    /// <summary>Puts the cursor at <paramref name="position"/>, in a segment if one has room there.</summary>
    private void MoveTo(long position)
    {
        int size;
        if (_table is { } table)
        {
            if (position > table.Capacity || table.Count == 0)
            {
                MoveNowhere(position);
                return;
            }

            table.Current = table.Find(position);
            ref Segment segment = ref table[table.Current];
            _array = segment.Array;
            _pointer = segment.Block;
            _start = segment.Start;
            size = segment.Size;
        }
        else
        {
            size = SizeOfOnly;
            if (position > size || size == 0)
            {
                MoveNowhere(position);
                return;
            }

            _start = 0;
        }

        _offset = (int)(position - _start);
        _limit = position > _length || _options.ParallelCopyThreshold > 0 || _isOpen == 0 ? Closed : size;
    }

    /// <summary>The position lies where there is no memory.</summary>
    private void MoveNowhere(long position)
    {
        _start = position;
        _offset = 0;
        _limit = Closed;
    }

    /// <summary>The stream is empty and has no memory; who has it now answers for it.</summary>
    private void Forget()
    {
        _table = null;
        _array = null;
        _pointer = null;
        _length = 0;
        MoveNowhere(0);
    }

    private void ThrowIfDisposed()
    {
        if (_isOpen == 0)
        {
            StreamThrow.Disposed();
        }
    }
}
