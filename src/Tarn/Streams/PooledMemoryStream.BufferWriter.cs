using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing in place: <see cref="IBufferWriter{T}"/>.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Room at the position to write into; <see cref="Advance(int)"/> then makes what was written part of the stream.</summary>
    /// <param name="sizeHint">The least bytes wanted in one piece; 0 for any, but at least one.</param>
    /// <returns>
    /// Memory of at least that size, contents undefined; valid until the next call that changes the stream. At the end of the stream it is the stream's own;
    /// elsewhere it is a buffer that <see cref="Advance(int)"/> copies, so the stream changes only then.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="IOException">The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        if (_table is not { } table)
        {
            return new Memory<byte>(_array, _offset, room);
        }

        return table.Pending is { } pending ? pending : table[table.Current].GetMemory(_options.Heap, _offset, room);
    }

    /// <summary>Room at the position to write into, as <see cref="GetMemory"/> gives it.</summary>
    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        return _table is { Pending: { } pending } ? pending : MemoryMarshal.CreateSpan(ref Here, room);
    }

    /// <summary>Makes the first bytes of the memory that was asked for last part of the stream, and moves the position behind them.</summary>
    /// <param name="count">How many bytes were written into it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than there was room for.</exception>
    /// <exception cref="IOException">
    /// Elsewhere than at the end: the stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">Elsewhere than at the end: there is no memory for it; the stream is unchanged, and the call can be made again.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Advance(int count)
    {
        ThrowIfDisposed();
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (_table is { Pending: { } pending })
        {
            ThrowIfMoreThan(pending.Length, count);
            WriteSlow(ref MemoryMarshal.GetArrayDataReference(pending), count);
            DropPending();
            return;
        }

        // Only at the end is there room: elsewhere nothing may change, also not the length when the position lies behind it.
        int room = _start + _offset == _length ? Math.Max(0, SizeOfCurrent - _offset) : 0;
        ThrowIfMoreThan(room, count);
        _offset += count;
        _length += count;
    }

    private static void ThrowIfMoreThan(int room, int count)
    {
        if (count > room)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, $"There is room for {room} bytes; {nameof(GetSpan)} and {nameof(GetMemory)} make more.");
        }
    }

    /// <summary>Sees to contiguous room, either at the cursor or in <see cref="SegmentTable.Pending"/>; how much there is.</summary>
    private int MakeRoom(int sizeHint)
    {
        if (sizeHint < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(sizeHint), sizeHint, "A size cannot be negative.");
        }

        int least = Math.Max(sizeHint, 1);
        int room = _limit - _offset;
        if (room >= least && _start + _offset == _length && _table is not { Pending: not null })
        {
            NoteExposed(room);
            return room;
        }

        ThrowIfDisposed();
        DropPending();
        if (_start + _offset == _length && TryExtend(least))
        {
            room = SizeOfCurrent - _offset;
            NoteExposed(room);
            return room;
        }

        byte[] pending = Rent(Math.Max(least, LeastSegment));
        GetTable().Pending = pending;
        return pending.Length;
    }

    /// <summary>So much behind the length may be written to from now on.</summary>
    private void NoteExposed(int room)
    {
        if (_table is { } table)
        {
            table.ExposedTo = Math.Max(table.ExposedTo, _length + room);
        }
    }

    /// <summary>
    /// Sees to contiguous room at the end of the stream, where the cursor is; false when there is memory already behind it that is not contiguous.
    /// </summary>
    private bool TryExtend(int least)
    {
        long position = _length;
        if (least > _options.MaxCapacity - position)
        {
            StreamThrow.TooLong(_options.MaxCapacity);
        }

        MoveTo(position);
        if (Room > 0 && SizeOfCurrent - _offset >= least)
        {
            return true;
        }

        if (_table is null && !AlwaysHasTable && Room <= LargestReplaced && position + least <= LargestSegment)
        {
            GiveBack(Reserve(position + least));
        }
        else if (!TryAddBehind(position, least))
        {
            return false;
        }

        MoveTo(position);
        return true;
    }

    /// <summary>Closes the last segment at <paramref name="position"/> and adds one behind it; false when the position lies in an earlier one.</summary>
    private bool TryAddBehind(long position, int least)
    {
        SegmentTable table = GetTable();
        if (table.Count > 0 && position < table.Last.Start)
        {
            return false;
        }

        Segment next = Take((int)Math.Max(least, Math.Min(SizeOfNext(least, position), LargestSegment)), _options.MaxCapacity - position, isZeroed: false);
        if (table.Count > 0)
        {
            if (position == table.Last.Start)
            {
                Segment unused = table.RemoveLast();
                GiveBack(unused, table.ExposedTo - unused.Start);
            }
            else
            {
                CloseLast(table, position);
            }

            table.ExposedTo = Math.Min(table.ExposedTo, position);
        }

        table.Add(next);
        return true;
    }

    /// <summary>The last segment ends at <paramref name="position"/>: nobody will ask what was written behind that, so it is cleared now.</summary>
    private void CloseLast(SegmentTable table, long position)
    {
        Segment last = table.Last;
        int size = (int)(position - last.Start);
        int exposed = (int)Math.Clamp(table.ExposedTo - last.Start, size, last.Size);
        if (_options.Zeroing != StreamZeroing.None)
        {
            last.GetSpan(size, exposed - size).Clear();
        }

        table.CloseLast(size);
    }

    private void DropPending()
    {
        if (_table is { Pending: { } pending } table)
        {
            table.Pending = null;
            GiveBack(new Segment { Array = pending, Size = pending.Length }, pending.Length);
        }
    }
}
