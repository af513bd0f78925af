using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <content>What a write and a read do.</content>
#pragma warning disable CA1711 // see SharedQueue.cs
public sealed unsafe partial class SharedQueue
#pragma warning restore CA1711
{
    private bool Write(ReadOnlySpan<byte> message, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            if (!_writers.TryClaim(deadline, cancellationToken, out long position))
            {
                return false;
            }

            BufferCopy.Copy(message, Slots.RoomAt(position));
            return Slots.TryPublish(position, message.Length) ? true : ThrowOverwritten();
        }
        finally
        {
            Calls.Leave();
        }
    }

    private bool Begin(int length, out SharedRoom room, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            bool isClaimed = _writers.TryClaim(deadline, cancellationToken, out long position);
            room = isClaimed ? new SharedRoom(_writers, position, Slots.RoomAt(position)[..length]) : default;
            return isClaimed;
        }
        finally
        {
            Calls.Leave();
        }
    }

    private bool Read(Span<byte> destination, out int length, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            if (!_readers.TryTake(destination.Length, deadline, cancellationToken, out long position, out length))
            {
                return false;
            }

            BufferCopy.Copy(Slots.MessageAt(position, length), destination);
            return Slots.TryPass(position) ? true : ThrowOverwritten();
        }
        finally
        {
            Calls.Leave();
        }
    }

    /// <inheritdoc/>
    bool IMessageReader.TryRead(ref byte[] buffer, out int length)
    {
        Enter();
        try
        {
            if (!_readers.TryTake(int.MaxValue, Deadline.Now, CancellationToken.None, out long position, out length))
            {
                return false;
            }

            try
            {
                MessageTasks.Grow(ref buffer, length);
            }
            catch
            {
                Slots.TryReturn(position);
                throw;
            }

            BufferCopy.Copy(Slots.MessageAt(position, length), buffer);
            return Slots.TryPass(position) ? true : ThrowOverwritten();
        }
        finally
        {
            Calls.Leave();
        }
    }

    private bool Begin(out SharedMessage message, long deadline, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            bool isTaken = _readers.TryTake(int.MaxValue, deadline, cancellationToken, out long position, out int length);
            message = isTaken ? new SharedMessage(_readers, position, Slots.MessageAt(position, length)) : default;
            return isTaken;
        }
        finally
        {
            Calls.Leave();
        }
    }

    private void ThrowIfTooLong(ReadOnlySpan<byte> message)
    {
        if (message.Length > MaxMessageLength)
        {
            ThrowTooLong(message);
        }
    }

    private void ThrowIfNotLength(int length)
    {
        if ((uint)length > (uint)MaxMessageLength)
        {
            ThrowNotLength(length);
        }
    }

    [DoesNotReturn]
    private void ThrowTooLong(ReadOnlySpan<byte> message) => throw new ArgumentException(
        $"The message has {message.Length} bytes; the longest that the queue \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private void ThrowNotLength(int length) => throw new ArgumentOutOfRangeException(
        nameof(length), length, $"A message in the queue \"{Name}\" has 0 to {MaxMessageLength} bytes.");

    [DoesNotReturn]
    private bool ThrowOverwritten() => throw new InvalidDataException(
        $"The queue \"{Name}\" is corrupted: another process changed the slot of a message that this one held. Some process wrote where it "
            + "should not have.");
}
