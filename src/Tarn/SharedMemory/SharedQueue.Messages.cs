using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <content>Writes and reads.</content>
public sealed unsafe partial class SharedQueue
{
    /// <summary>After so many lost races, a read looks whether it is late: a process that lies can have it lose any number.</summary>
    private const int MostRaces = 1000;

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

        long deadline = DeadlineAfter(timeout);
        Enter();
        try
        {
            if (!TryClaim(deadline, cancellationToken, out long position))
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
        long deadline = DeadlineAfter(timeout);
        Enter();
        try
        {
            bool isClaimed = TryClaim(deadline, cancellationToken, out long position);
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
        long deadline = DeadlineAfter(timeout);
        Enter();
        try
        {
            if (!TryTake(destination.Length, deadline, cancellationToken, out long position, out length))
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
        long deadline = DeadlineAfter(timeout);
        Enter();
        try
        {
            bool isTaken = TryTake(int.MaxValue, deadline, cancellationToken, out long position, out int length);
            message = isTaken ? new SharedQueueMessage(this, position, Slots.MessageAt(position, length)) : default;
            return isTaken;
        }
        finally
        {
            Calls.Leave();
        }
    }

    /// <summary>When a wait of a call that begins now ends; in the past if there is to be none.</summary>
    private static long DeadlineAfter(TimeSpan timeout)
    {
        if (timeout == TimeSpan.Zero)
        {
            return long.MinValue;
        }

        if (timeout < TimeSpan.Zero)
        {
            return timeout == Timeout.InfiniteTimeSpan ? long.MaxValue : ThrowNotTimeout(timeout);
        }

        return Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds);
    }

    private bool TryClaim(long deadline, CancellationToken cancellationToken, out long position)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!Slots.TryClaim(out position))
        {
            if (!MayWait(_writers, deadline, cancellationToken))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryTake(int longest, long deadline, CancellationToken cancellationToken, out long position, out int length)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (int races = 1; ; races++)
        {
            if (!Slots.TryFind(out position, out SlotWord seen) || races % MostRaces == 0)
            {
                if (!MayWait(_readers, deadline, cancellationToken))
                {
                    length = 0;
                    return false;
                }
            }
            else if (Slots.LengthOf(position, seen) is { } found)
            {
                length = found <= longest ? found : ThrowTooShort(found, longest);
                if (Slots.TryTake(position, seen))
                {
                    return true;
                }
            }
        }
    }

    /// <summary>Waits, unless it is late; then the call is over.</summary>
    private static bool MayWait(QueueSide side, long deadline, CancellationToken cancellationToken)
    {
        if (deadline != long.MinValue)
        {
            return side.WaitUntil(deadline, cancellationToken);
        }

        side.LookIfTime();
        return false;
    }

    [DoesNotReturn]
    private void ThrowTooLong(ReadOnlySpan<byte> message) => throw new ArgumentException(
        $"The message has {message.Length} bytes; the longest that the queue \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private static int ThrowTooShort(int length, int destination) => throw new ArgumentException(
        $"The message has {length} bytes, and the destination {destination}. It remains unread: pass a larger buffer.",
        nameof(destination));

    [DoesNotReturn]
    private static long ThrowNotTimeout(TimeSpan timeout) => throw new ArgumentOutOfRangeException(
        nameof(timeout), timeout, "The timeout must not be negative: use Timeout.InfiniteTimeSpan to wait for ever.");

    [DoesNotReturn]
    private bool ThrowOverwritten() => throw new InvalidDataException(
        $"The queue \"{Name}\" is corrupted: another process changed the slot of a message that this one held. Some process wrote where it "
            + "should not have.");
}
