using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing in place: <see cref="IBufferWriter{T}"/>.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Room at the position to write into; <see cref="Advance(int)"/> then makes what was written part of the stream.</summary>
    /// <param name="sizeHint">The least bytes wanted in one piece; 0 for any, but at least one.</param>
    /// <returns>
    /// Memory of at least that size, contents undefined; valid until the next call that changes the stream. At the end of the stream it is
    /// the stream's own; elsewhere it is a buffer that <see cref="Advance(int)"/> copies, so the stream changes only then.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="IOException">
    /// The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        return _bytes.Table is { Pending: { } pending } ? pending : _bytes.GetCurrentMemory(_offset, room);
    }

    /// <summary>Room at the position to write into, as <see cref="GetMemory"/> gives it.</summary>
    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        int room = MakeRoom(sizeHint);
        return _bytes.Table is { Pending: { } pending } ? pending : MemoryMarshal.CreateSpan(ref Here, room);
    }

    /// <summary>
    /// Makes the first bytes of the memory that was asked for last part of the stream, and moves the position behind them.
    /// </summary>
    /// <param name="count">How many bytes were written into it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than there was room for.</exception>
    /// <exception cref="IOException">
    /// Elsewhere than at the end: the stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">
    /// Elsewhere than at the end: there is no memory for it; the stream is unchanged, and the call can be made again.
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

        // Only at the end is there room: elsewhere nothing may change, also not the length when the position lies behind it.
        int room = Cursor == _bytes.Length ? Math.Max(0, _bytes.CurrentSize - _offset) : 0;
        StreamThrow.IfMoreThan(room, count);
        _offset += count;
        _bytes.Length += count;
    }

    /// <summary>Sees to contiguous room, either at the cursor or in <see cref="SegmentTable.Pending"/>; how much there is.</summary>
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
