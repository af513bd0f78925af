using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>The writing side of a ring.</summary>
/// <remarks>
/// A record is complete before the write position passes it: the interlocked exchange that publishes it orders the bytes before it, and the
/// check for a sleeping reader after it.
/// </remarks>
internal sealed unsafe class RingWriter : RingSide
{
    internal RingWriter(SharedRing ring, RingHeader* header, SharedSignal space, SharedSignal data)
        : base(ring, header, isWriter: true, space, data)
    {
    }

    protected override string RoleName => "writer";

    protected override string OtherRoleName => "reader";

    protected override bool ConcernsItsPredecessors => false;

    /// <summary>Writes a message; waits for room.</summary>
    /// <returns>False if there was none until the deadline.</returns>
    /// <inheritdoc cref="RingSide.WaitFor" path="/exception"/>
    internal bool Write(ReadOnlySpan<byte> message, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        bool isRoom = HasRoom(message.Length, deadline, cancellationToken);
        if (isRoom)
        {
            BufferCopy.Copy(message, MessageOf(message.Length));
            PublishRecord(message.Length);
        }

        Leave();
        return isRoom;
    }

    /// <summary>Begins a message in place; waits for room.</summary>
    /// <inheritdoc cref="Write"/>
    internal bool Begin(int length, long deadline, CancellationToken cancellationToken, out SharedRoom room)
    {
        Enter();
        bool isRoom = HasRoom(length, deadline, cancellationToken);
        if (isRoom)
        {
            Begun = Position;
            room = new SharedRoom(this, Position, MessageOf(length));
        }
        else
        {
            room = default;
        }

        Leave();
        return isRoom;
    }

    /// <inheritdoc/>
    internal override void Publish(long position, int length)
    {
        Enter();
        if (Begun != position)
        {
            Leave();
            ThrowNotWriting();
        }

        PublishRecord(length);
        Leave();
    }

    /// <inheritdoc/>
    internal override void GiveUp(long position)
    {
        if (Begun == position)
        {
            Begun = NoMessage;
        }
    }

    /// <summary>Publishes records that were written in place, and whose end this is.</summary>
    internal void PublishTo(long position)
    {
        Enter();
        Begun = NoMessage;
        PublishInside(position);
        Leave();
    }

    /// <summary>Returns the write position, where the previous writer stopped.</summary>
    protected override long ReadPosition()
    {
        long write = Volatile.Read(ref Header->WritePosition);
        if ((ulong)write > RingHeader.MostPosition || write % RingHeader.RecordAlignment != 0)
        {
            ThrowCorrupted($"its write position is {write}");
        }

        return write;
    }

    /// <summary>Returns the position at which the ring is full: the read position plus the capacity.</summary>
    protected override long ReadLimit()
    {
        long read = Volatile.Read(ref Header->ReadPosition);
        if ((ulong)(Position - read) > (ulong)Capacity)
        {
            ThrowCorrupted($"its read position is {read}, its write position {Position}, and its capacity {Capacity}");
        }

        return read + Capacity;
    }

    private Span<byte> MessageOf(int length) => new(RecordAt(Position) + RingHeader.RecordAlignment, length);

    /// <summary>Whether there is room for a message; waits for it. Ends the call if it throws.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool HasRoom(int length, long deadline, CancellationToken cancellationToken) =>
        Position + RingHeader.RecordSize(length) <= Limit || AwaitRoom(RingHeader.RecordSize(length), deadline, cancellationToken);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AwaitRoom(int size, long deadline, CancellationToken cancellationToken)
    {
        Refresh();
        return Position + size <= Limit || WaitFor(size, deadline, cancellationToken);
    }

    private void PublishRecord(int length)
    {
        *(int*)RecordAt(Position) = length;
        Begun = NoMessage;
        PublishInside(Position + RingHeader.RecordSize(length));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PublishInside(long position)
    {
        Position = position;
        Interlocked.Exchange(ref Header->WritePosition, position);
        WakeOther();
    }

    [DoesNotReturn]
    private static void ThrowNotWriting() => throw NotWriting();
}
