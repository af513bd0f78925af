namespace Tarn.SharedMemory;

/// <content>Writes and reads.</content>
public sealed unsafe partial class SharedQueue : IMessageReader, IMessageWriter
{
    /// <summary>Writes a message if there is room.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryWrite(ReadOnlySpan<byte> message)
    {
        ThrowIfTooLong(message);
        return Write(message, Deadline.Now, CancellationToken.None);
    }

    /// <summary>Writes a message; waits until there is room for it.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        Write(message, Deadline.Never, cancellationToken);
    }

    /// <summary>Writes a message; waits until there is room for it, or it is late.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>True if the message was written; false if there was no room until the timeout.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        return Write(message, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Takes room for a message in the queue itself, if there is any.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="room">The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</param>
    /// <returns>True if there was room.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryBeginWrite(int length, out SharedRoom room)
    {
        ThrowIfNotLength(length);
        return Begin(length, out room, Deadline.Now, CancellationToken.None);
    }

    /// <summary>Takes room for a message in the queue itself; waits until there is any.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public SharedRoom BeginWrite(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        Begin(length, out SharedRoom room, Deadline.Never, cancellationToken);
        return room;
    }

    /// <summary>Takes room for a message in the queue itself; waits until there is any, or it is late.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="room">The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there was room; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>, or <paramref name="timeout"/> is negative and not
    /// infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        return Begin(length, out room, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryRead(Span<byte> destination, out int length) =>
        Read(destination, out length, Deadline.Now, CancellationToken.None);

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public int Read(Span<byte> destination, CancellationToken cancellationToken = default)
    {
        Read(destination, out int length, Deadline.Never, cancellationToken);
        return length;
    }

    /// <summary>Reads the next message; waits until there is one, or it is late.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if a message was read; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        return Read(destination, out length, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Returns the next message in place, if there is one.</summary>
    /// <param name="message">The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</param>
    /// <returns>True if there was a message.</returns>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryBeginRead(out SharedMessage message) => Begin(out message, Deadline.Now, CancellationToken.None);

    /// <summary>Returns the next message in place; waits until there is one.</summary>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public SharedMessage BeginRead(CancellationToken cancellationToken = default)
    {
        Begin(out SharedMessage message, Deadline.Never, cancellationToken);
        return message;
    }

    /// <summary>Returns the next message in place; waits until there is one, or it is late.</summary>
    /// <param name="message">The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if there was a message; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool BeginRead(out SharedMessage message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        return Begin(out message, Deadline.After(timeout), cancellationToken);
    }
}
