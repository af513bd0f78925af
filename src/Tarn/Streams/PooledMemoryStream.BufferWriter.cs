using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing in place: <see cref="IBufferWriter{T}"/>.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Returns room at the position to write to. <see cref="Advance(int)"/> then adds the written bytes to the stream.</summary>
    /// <param name="sizeHint">
    /// The least number of contiguous bytes, which may be more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> leaves: serializers
    /// ask for more than they write. 0 requests any number, but at least one.
    /// </param>
    /// <returns>
    /// Memory of at least that size, contents undefined, valid until the next call that changes the stream. At the end of the stream it is
    /// the stream's own memory, if the stream may have so much. Otherwise it is a separate buffer that <see cref="Advance(int)"/> copies
    /// from, so the stream changes only then.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (GetRoom(sizeHint) is > 0 and var room && _at.Bytes.CurrentArray is { } array)
        {
            return new Memory<byte>(array, _at.Bytes.Offset, room);
        }

        using CallInside inside = Enter();
        room = MakeRoom(sizeHint);
        return _at.Bytes.Table is { Pending: { } pending } ? pending : _at.Bytes.GetCurrentMemory(_at.Bytes.Offset, room);
    }

    /// <summary>Returns room at the position to write to, as <see cref="GetMemory"/> does.</summary>
    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        return GetRoom(sizeHint) is > 0 and var room && _at.Bytes.CurrentArray is { } array
            ? MemoryMarshal.CreateSpan(ref StreamCursor.At(array, _at.Bytes.Offset), room)
            : GetSpanSlow(sizeHint);
    }

    /// <summary>Adds the first bytes of the most recently requested memory to the stream, and moves the position past them.</summary>
    /// <param name="count">The number of bytes written to it.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or more than the room.</exception>
    /// <exception cref="IOException">
    /// The stream would exceed <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">
    /// The memory was a separate buffer, and there is not enough for its bytes; the stream is unchanged, and the call can be repeated.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Advance(int count)
    {
        // There is room only at the end. Elsewhere nothing may change, not even the length when the position is past it.
        int room = Cursor == _at.Bytes.Length ? Math.Max(0, _at.Bytes.CurrentSize - _at.Bytes.Offset) : 0;
        bool isPending = _at.Bytes.Table is { Pending: not null };
        ThrowIfDisposedSince();
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        if (isPending)
        {
            AdvancePending(count);
            return;
        }

        StreamThrow.IfMoreThan(room, count);
        _at.Bytes.Offset += count;
        _at.Bytes.Length += count;
    }

    /// <summary>
    /// Throws if the stream is disposed, for members that have not entered and have read what they return or judge by: a Dispose on
    /// another thread clears that, and a member that verified before it read would speak of an empty stream.
    /// </summary>
    private void ThrowIfDisposedSince()
    {
        Volatile.ReadBarrier();
        ThrowIfDisposed();
    }

    /// <summary>The room at the end of the stream, if the cursor is there and the room is large enough; else 0.</summary>
    private int GetRoom(int sizeHint)
    {
        int room = _at.Access.Limit - _at.Bytes.Offset;
        if (room < Math.Max(sizeHint, 1) || Cursor != _at.Bytes.Length || _at.Bytes.Table is { Pending: not null })
        {
            return 0;
        }

        _at.Bytes.NoteExposed(_at.Bytes.Length + room);
        return room;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Span<byte> GetSpanSlow(int sizeHint)
    {
        using CallInside inside = Enter();
        int room = MakeRoom(sizeHint);
        return _at.Bytes.Table is { Pending: { } pending } ? pending : _at.Bytes.GetCurrentSpan(_at.Bytes.Offset, room);
    }

    private void AdvancePending(int count)
    {
        using CallInside inside = Enter();
        byte[] pending = _at.Bytes.Table!.Pending!;
        StreamThrow.IfMoreThan(pending.Length, count);
        WriteSlow(ref MemoryMarshal.GetArrayDataReference(pending), count);
        _at.Bytes.DropPending();
    }

    /// <summary>
    /// Provides contiguous room, either at the cursor or in <see cref="SegmentTable.Pending"/>, for a call that entered. Returns its size.
    /// </summary>
    private int MakeRoom(int sizeHint)
    {
        int room = GetRoom(sizeHint);
        if (room > 0)
        {
            return room;
        }

        ThrowIfDisposed();
        int least = Math.Max(sizeHint, 1);
        bool mayExtend = Cursor == _at.Bytes.Length && least <= Options.MaxCapacity - _at.Bytes.Length;
        if (!mayExtend || !_at.Bytes.TryExtendContiguously(least))
        {
            return _at.Bytes.AddPending(least).Length;
        }

        _at.Bytes.DropPending();
        MoveTo(_at.Bytes.Length);
        room = _at.Bytes.CurrentSize - _at.Bytes.Offset;
        _at.Bytes.NoteExposed(_at.Bytes.Length + room);
        return room;
    }
}
