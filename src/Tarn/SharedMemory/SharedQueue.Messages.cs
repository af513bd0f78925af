using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <content>Writes and reads.</content>
public sealed unsafe partial class SharedQueue
{
    /// <summary>Writes a message if there is room.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryWrite(ReadOnlySpan<byte> message) => TryWrite(message, TimeSpan.Zero);

    /// <summary>Writes a message; waits until there is room for it.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>True if the message was written; false if there was no room until the timeout.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryWrite(ReadOnlySpan{byte})" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        if (message.Length > MaxMessageLength)
        {
            ThrowTooLong(message);
        }

        long deadline = Deadline.After(timeout);
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

    /// <summary>Returns room for a message in the queue itself, if there is any; <see cref="SharedQueueRoom.End"/> publishes it.</summary>
    /// <param name="room">The room. Dispose it.</param>
    /// <returns>True if there was room.</returns>
    /// <inheritdoc cref="TryWrite(ReadOnlySpan{byte})" path="/exception[@cref='T:System.IO.InvalidDataException']"/>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryBeginWrite(out SharedQueueRoom room) => TryBeginWrite(out room, TimeSpan.Zero);

    /// <summary>
    /// Returns room for a message in the queue itself; waits until there is any. <see cref="SharedQueueRoom.End"/> publishes the message.
    /// </summary>
    /// <param name="room">The room. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there was room; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryBeginWrite(out SharedQueueRoom)" path="/exception"/>
    public bool TryBeginWrite(out SharedQueueRoom room, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        Enter();
        try
        {
            bool isClaimed = _writers.TryClaim(deadline, cancellationToken, out long position);
            room = isClaimed ? new SharedQueueRoom(this, position, Slots.RoomAt(position)) : default;
            return isClaimed;
        }
        finally
        {
            Calls.Leave();
        }
    }

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryRead(Span<byte> destination, out int length) => TryRead(destination, out length, TimeSpan.Zero);

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if a message was read; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryRead(Span{byte}, out int)" path="/exception"/>
    public bool TryRead(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
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

    /// <summary>Returns the next message in place, if there is one; <see cref="SharedQueueMessage.End"/> passes it.</summary>
    /// <param name="message">The message. Dispose it.</param>
    /// <returns>True if there was a message.</returns>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryBeginRead(out SharedQueueMessage message) => TryBeginRead(out message, TimeSpan.Zero);

    /// <summary>Returns the next message in place; waits until there is one. <see cref="SharedQueueMessage.End"/> passes it.</summary>
    /// <param name="message">The message. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if there was a message; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedQueueMessage)" path="/exception"/>
    public bool TryBeginRead(out SharedQueueMessage message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        Enter();
        try
        {
            bool isTaken = _readers.TryTake(int.MaxValue, deadline, cancellationToken, out long position, out int length);
            message = isTaken ? new SharedQueueMessage(this, position, Slots.MessageAt(position, length)) : default;
            return isTaken;
        }
        finally
        {
            Calls.Leave();
        }
    }

    [DoesNotReturn]
    private void ThrowTooLong(ReadOnlySpan<byte> message) => throw new ArgumentException(
        $"The message has {message.Length} bytes; the longest that the queue \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private bool ThrowOverwritten() => throw new InvalidDataException(
        $"The queue \"{Name}\" is corrupted: another process changed the slot of a message that this one held. Some process wrote where it "
            + "should not have.");
}
