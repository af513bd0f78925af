using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing in place: <see cref="IBufferWriter{T}"/>.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Returns room at the position to write to. <see cref="Advance(int)"/> then adds the written bytes to the stream.</summary>
    /// <param name="sizeHint">The least number of contiguous bytes; 0 requests any number, but at least one.</param>
    /// <returns>
    /// Memory of at least that size, contents undefined, valid until the next call that changes the stream. At the end of the stream it is
    /// the stream's own memory. Elsewhere it is a separate buffer that <see cref="Advance(int)"/> copies from, so the stream changes only
    /// then.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="IOException">
    /// The stream would exceed <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        return _bytes.Table is { Pending: { } pending } ? pending : _bytes.GetCurrentMemory(_offset, room);
    }

    /// <summary>Returns room at the position to write to, as <see cref="GetMemory"/> does.</summary>
    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        return _bytes.Table is { Pending: { } pending } ? pending : MemoryMarshal.CreateSpan(ref Here, room);
    }

    /// <summary>Adds the first bytes of the most recently requested memory to the stream, and moves the position past them.</summary>
    /// <param name="count">The number of bytes written to it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than the room.</exception>
    /// <exception cref="IOException">
    /// The position is not at the end, and the stream would exceed <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">
    /// The position is not at the end, and there is not enough memory; the stream is unchanged, and the call can be repeated.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Advance(int count)
    {
        ThrowIfDisposed();
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (_bytes.Table is { Pending: { } pending })
        {
            StreamThrow.IfMoreThan(pending.Length, count);
            WriteSlow(ref MemoryMarshal.GetArrayDataReference(pending), count);
            _bytes.DropPending();
            return;
        }

        // There is room only at the end. Elsewhere nothing may change, not even the length when the position is past it.
        int room = Cursor == _bytes.Length ? Math.Max(0, _bytes.CurrentSize - _offset) : 0;
        StreamThrow.IfMoreThan(room, count);
        _offset += count;
        _bytes.Length += count;
    }

    /// <summary>Provides contiguous room, either at the cursor or in <see cref="SegmentTable.Pending"/>. Returns its size.</summary>
    private int MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        int least = Math.Max(sizeHint, 1);
        int room = _limit - _offset;
        if (room >= least && Cursor == _bytes.Length && _bytes.Table is not { Pending: not null })
        {
            _bytes.NoteExposed(_bytes.Length + room);
            return room;
        }

        ThrowIfDisposed();
        _bytes.DropPending();
        if (Cursor != _bytes.Length || !_bytes.TryExtendContiguously(least))
        {
            return _bytes.AddPending(least).Length;
        }

        MoveTo(_bytes.Length);
        room = _bytes.CurrentSize - _offset;
        _bytes.NoteExposed(_bytes.Length + room);
        return room;
    }
}
