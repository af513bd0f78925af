using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

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

    internal bool TryWrite(ReadOnlySpan<byte> message)
    {
        Enter();
        bool isRoom = TryReserve(message.Length);
        if (isRoom)
        {
            BufferCopy.Copy(message, MessageOf(message.Length));
            Publish(message.Length);
        }

        Leave();
        return isRoom;
    }

    internal void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken)
    {
        Enter();
        Reserve(message.Length, cancellationToken);
        BufferCopy.Copy(message, MessageOf(message.Length));
        Publish(message.Length);
        Leave();
    }

    internal bool TryBegin(int length, out Span<byte> message)
    {
        Enter();
        bool isRoom = TryReserve(length);
        message = isRoom ? Begin(length) : default;
        Leave();
        return isRoom;
    }

    internal Span<byte> Begin(int length, CancellationToken cancellationToken)
    {
        Enter();
        Reserve(length, cancellationToken);
        Span<byte> message = Begin(length);
        Leave();
        return message;
    }

    internal void End(int length)
    {
        Enter();
        int begun = Begun;
        if (length < 0 || length > begun)
        {
            Leave();
            ThrowWrongEnd(length, begun);
        }

        Publish(length);
        Leave();
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

    private bool TryReserve(int length)
    {
        Begun = NoMessage;
        int size = RingHeader.RecordSize(length);
        if (Position + size > Limit)
        {
            Refresh();
        }

        return Position + size <= Limit;
    }

    private void Reserve(int length, CancellationToken cancellationToken)
    {
        if (!TryReserve(length))
        {
            WaitFor(RingHeader.RecordSize(length), cancellationToken);
        }
    }

    private Span<byte> Begin(int length)
    {
        Begun = length;
        return MessageOf(length);
    }

    private void Publish(int length)
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
    private void ThrowWrongEnd(int length, int begun)
    {
        if (begun == NoMessage)
        {
            throw new InvalidOperationException(
                $"No write is in progress on the ring \"{Ring.Name}\". Call {nameof(SharedRing.BeginWrite)} first.");
        }

        throw new ArgumentOutOfRangeException(
            nameof(length), length, $"The length must lie between 0 and {begun}, the length requested when the message was begun.");
    }
}
