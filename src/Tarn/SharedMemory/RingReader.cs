using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>The reading side of a ring.</summary>
/// <remarks>
/// The read position passes a record after the reader has finished with its bytes. The interlocked exchange orders the reads of the bytes
/// before it, and the check for a sleeping writer after it. A record's length is read once, and used only if it fits.
/// </remarks>
internal sealed unsafe class RingReader : RingSide
{
    internal RingReader(SharedRing ring, RingHeader* header, SharedSignal data, SharedSignal space)
        : base(ring, header, isWriter: false, data, space)
    {
    }

    protected override string RoleName => "reader";

    protected override string OtherRoleName => "writer";

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

        length = Volatile.Read(ref *(int*)Record);
        if ((uint)length > (uint)RingHeader.LongestMessage(Capacity) || RingHeader.RecordSize(length) > Limit - Position)
        {
            Leave();
            ThrowCorrupted($"the record at {Position} states a length of {length} bytes, and {Limit - Position} are written");
        }

        return true;
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

    private ReadOnlySpan<byte> Begin(int length)
    {
        Begun = length;
        return MessageOf(length);
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

        BufferCopy.Copy(MessageOf(length), destination);
        Pass(RingHeader.RecordSize(length));
    }

    private ReadOnlySpan<byte> MessageOf(int length) => new(Record + RingHeader.RecordAlignment, length);

    private void Pass(int size)
    {
        Begun = NoMessage;
        Position += size;
        Interlocked.Exchange(ref Header->ReadPosition, Position);
        WakeOther();
    }

    [DoesNotReturn]
    private void ThrowNotBegun() => throw new InvalidOperationException(
        $"No read is in progress on the ring \"{Ring.Name}\". Call {nameof(SharedRing.BeginRead)} first.");
}
