using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

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

    /// <summary>Reads the next message; waits for one.</summary>
    /// <returns>Its length; null if there was none until the deadline.</returns>
    /// <exception cref="ArgumentException">The destination is shorter than the message, which remains.</exception>
    /// <inheritdoc cref="RingSide.WaitFor" path="/exception"/>
    internal int? Read(Span<byte> destination, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        int? length = null;
        if (HasMessage(deadline, cancellationToken))
        {
            length = Take(destination, LengthAt(Position));
        }

        Leave();
        return length;
    }

    /// <inheritdoc cref="IMessageReader.TryRead(ref byte[], out int)"/>
    internal bool TryRead(ref byte[] buffer, out int length)
    {
        Enter();
        length = 0;
        bool isThere = HasMessage(Deadline.Now, CancellationToken.None);
        if (isThere)
        {
            length = LengthAt(Position);
            Grow(ref buffer, length);
            Take(buffer, length);
        }

        Leave();
        return isThere;
    }

    /// <summary>Begins the next message in place; waits for one.</summary>
    /// <returns>False if there was none until the deadline.</returns>
    /// <inheritdoc cref="RingSide.WaitFor" path="/exception"/>
    internal bool Begin(long deadline, CancellationToken cancellationToken, out SharedMessage message)
    {
        Enter();
        bool isThere = HasMessage(deadline, cancellationToken);
        if (isThere)
        {
            int length = LengthAt(Position);
            Begun = Position;
            message = new SharedMessage(this, Position, MessageAt(Position, length));
        }
        else
        {
            message = default;
        }

        Leave();
        return isThere;
    }

    /// <inheritdoc/>
    internal override bool Pass(long position, int length)
    {
        Enter();
        if (Begun != position)
        {
            Leave();
            ThrowNotReading();
        }

        Advance(RingHeader.RecordSize(length));
        Leave();
        return true;
    }

    /// <inheritdoc/>
    internal override void GiveBack(long position)
    {
        if (Begun == position)
        {
            Begun = NoMessage;
        }
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

    /// <summary>Passes the messages before a position.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No unread message ends there.</exception>
    internal void AdvanceTo(long position)
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
            Advance((int)(passed - Position));
        }

        Leave();
    }

    /// <summary>Passes messages that were read ahead, and the last of which ends here.</summary>
    internal void PassTo(long position)
    {
        Enter();
        Advance((int)(position - Position));
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

    /// <summary>Whether there is a message; waits for it. Ends the call if it throws.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool HasMessage(long deadline, CancellationToken cancellationToken) =>
        Position != Limit || AwaitMessage(deadline, cancellationToken);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AwaitMessage(long deadline, CancellationToken cancellationToken)
    {
        Refresh();
        return Position != Limit || WaitFor(RingHeader.RecordAlignment, deadline, cancellationToken);
    }

    private int Take(Span<byte> destination, int length)
    {
        if (destination.Length < length)
        {
            Leave();
            throw new ArgumentException(
                $"The message has {length} bytes, and the destination {destination.Length}. It remains unread: pass a larger buffer.",
                nameof(destination));
        }

        BufferCopy.Copy(MessageAt(Position, length), destination);
        Advance(RingHeader.RecordSize(length));
        return length;
    }

    /// <summary>Makes a buffer long enough. Ends the call if it throws.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    private void Grow(ref byte[] buffer, int length)
    {
        try
        {
            MessageTasks.Grow(ref buffer, length);
        }
        catch
        {
            Leave();
            throw;
        }
    }

    private ReadOnlySpan<byte> MessageAt(long position, int length) => new(RecordAt(position) + RingHeader.RecordAlignment, length);

    /// <summary>Gives the writer the room of so many bytes of records.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(int size)
    {
        long position = Position + size;
        Begun = NoMessage;
        Position = position;
        Interlocked.Exchange(ref Header->ReadPosition, position);
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
    private static void ThrowNotReading() => throw NotReading();
}
