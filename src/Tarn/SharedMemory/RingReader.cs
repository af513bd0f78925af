using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The reading side of a ring.</summary>
/// <remarks>
/// The read position passes a record after the reader has finished with its bytes. The interlocked exchange orders the reads of the bytes
/// before it, and the check for a sleeping writer after it. A record's length is read once, and used only if it fits.
/// </remarks>
internal sealed unsafe class RingReader : RingSide
{
    /// <summary>The end of the furthest message that was read ahead.</summary>
    private long _ahead;

    internal RingReader(SharedRing ring, RingHeader* header, SharedSignal data, SharedSignal space)
        : base(ring, header, isWriter: false, data, space)
    {
    }

    internal override bool HasBegun => base.HasBegun || _ahead > Position;

    protected override string RoleName => "reader";

    protected override string OtherRoleName => "writer";

    protected override bool ConcernsItsPredecessors => ReadLimit() > Position;

    internal bool TryRead(Span<byte> destination, out int length)
    {
        Enter();
        bool isThere = TryPeek(out length);
        if (isThere)
        {
            Take(destination, length);
        }

        Leave();
        return isThere;
    }

    internal int Read(Span<byte> destination, CancellationToken cancellationToken)
    {
        Enter();
        int length = Peek(cancellationToken);
        Take(destination, length);
        Leave();
        return length;
    }

    /// <summary>Returns the next message in an array of its own; null if there is none.</summary>
    internal byte[]? TryReadCopy()
    {
        Enter();
        byte[]? copy = null;
        if (TryPeek(out int length))
        {
            copy = NewArray(length);
            Take(copy, length);
        }

        Leave();
        return copy;
    }

    internal bool TryBegin(out ReadOnlySpan<byte> message)
    {
        Enter();
        bool isThere = TryPeek(out int length);
        message = isThere ? Begin(length) : default;
        Leave();
        return isThere;
    }

    internal ReadOnlySpan<byte> Begin(CancellationToken cancellationToken)
    {
        Enter();
        ReadOnlySpan<byte> message = Begin(Peek(cancellationToken));
        Leave();
        return message;
    }

    internal void End()
    {
        Enter();
        if (Begun == NoMessage)
        {
            Leave();
            ThrowNotBegun();
        }

        Pass(RingHeader.RecordSize(Begun));
        Leave();
    }

    internal bool TryReadAhead(scoped ref long position, out ReadOnlySpan<byte> message)
    {
        Enter();
        if (position >= Limit)
        {
            Refresh();
        }

        if (position < Position || position > Limit || position % RingHeader.RecordAlignment != 0)
        {
            Leave();
            ThrowNotPosition(position);
        }

        bool isThere = position < Limit;
        message = default;
        if (isThere)
        {
            int length = LengthAt(position);
            message = MessageAt(position, length);
            position += RingHeader.RecordSize(length);
            _ahead = Math.Max(_ahead, position);
        }

        Leave();
        return isThere;
    }

    internal void EndReadTo(long position)
    {
        Enter();
        if (position >= Limit)
        {
            Refresh();
        }

        long passed = Position;
        while (passed < position && passed < Limit)
        {
            passed += RingHeader.RecordSize(LengthAt(passed));
        }

        if (passed != position)
        {
            Leave();
            ThrowNotPosition(position);
        }

        if (passed > Position)
        {
            Pass((int)(passed - Position));
        }

        Leave();
    }

    /// <summary>Passes messages that were read ahead, and the last of which ends here.</summary>
    internal void PassTo(long position)
    {
        Enter();
        Pass((int)(position - Position));
        Leave();
    }

    /// <summary>Returns the read position, where the previous reader stopped.</summary>
    protected override long ReadPosition()
    {
        long read = Volatile.Read(ref Header->ReadPosition);
        if ((ulong)read > RingHeader.MostPosition || read % RingHeader.RecordAlignment != 0)
        {
            ThrowCorrupted($"its read position is {read}");
        }

        return read;
    }

    /// <summary>Returns the write position, up to which there are records.</summary>
    protected override long ReadLimit()
    {
        long write = Volatile.Read(ref Header->WritePosition);
        if ((ulong)(write - Position) > (ulong)Capacity || write % RingHeader.RecordAlignment != 0)
        {
            ThrowCorrupted($"its write position is {write}, its read position {Position}, and its capacity {Capacity}");
        }

        return write;
    }

    private bool TryPeek(out int length)
    {
        Begun = NoMessage;
        if (Position == Limit)
        {
            Refresh();
            if (Position == Limit)
            {
                length = 0;
                return false;
            }
        }

        length = LengthAt(Position);
        return true;
    }

    /// <summary>Returns the length of the message at a position before the limit. Ends the call if it throws.</summary>
    /// <exception cref="InvalidDataException">The record does not fit in the bytes that are written.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int LengthAt(long position)
    {
        int length = Volatile.Read(ref *(int*)RecordAt(position));
        if ((uint)length > (uint)RingHeader.LongestMessage(Capacity) || RingHeader.RecordSize(length) > Limit - position)
        {
            ThrowRecord(position, length);
        }

        return length;
    }

    private int Peek(CancellationToken cancellationToken)
    {
        int length;
        while (!TryPeek(out length))
        {
            WaitFor(RingHeader.RecordAlignment, cancellationToken);
        }

        return length;
    }

    /// <summary>Returns an array. Ends the call if it throws.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    private byte[] NewArray(int length)
    {
        try
        {
            return GC.AllocateUninitializedArray<byte>(length);
        }
        catch
        {
            Leave();
            throw;
        }
    }

    private ReadOnlySpan<byte> Begin(int length)
    {
        Begun = length;
        return MessageAt(Position, length);
    }

    private void Take(Span<byte> destination, int length)
    {
        if (destination.Length < length)
        {
            Leave();
            throw new ArgumentException(
                $"The message has {length} bytes, and the destination {destination.Length}. It remains unread: pass a larger buffer.",
                nameof(destination));
        }

        BufferCopy.Copy(MessageAt(Position, length), destination);
        Pass(RingHeader.RecordSize(length));
    }

    private ReadOnlySpan<byte> MessageAt(long position, int length) => new(RecordAt(position) + RingHeader.RecordAlignment, length);

    private void Pass(int size)
    {
        Begun = NoMessage;
        Position += size;
        Interlocked.Exchange(ref Header->ReadPosition, Position);
        WakeOther();
    }

    [DoesNotReturn]
    private void ThrowRecord(long position, int length)
    {
        long written = Limit - position;
        Leave();
        ThrowCorrupted($"the record at {position} states a length of {length} bytes, and {written} are written");
    }

    [DoesNotReturn]
    private void ThrowNotPosition(long position) => throw new ArgumentOutOfRangeException(
        nameof(position), position,
        $"No unread message of the ring \"{Ring.Name}\" begins at this position, and none ends there: they lie from {Position} to {Limit}. "
            + $"Pass {nameof(SharedRing.ReadPosition)}, or a position that {nameof(SharedRing.TryReadAhead)} returned.");

    [DoesNotReturn]
    private void ThrowNotBegun() => throw new InvalidOperationException(
        $"No read is in progress on the ring \"{Ring.Name}\". Call {nameof(SharedRing.BeginRead)} first.");
}
