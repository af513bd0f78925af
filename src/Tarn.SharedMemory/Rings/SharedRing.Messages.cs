using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <content>Writes and reads.</content>
public sealed unsafe partial class SharedRing : IMessageReader, IMessageWriter
{
    /// <summary>Writes a message if there is room.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message)
    {
        ThrowIfTooLong(message);
        return _writer.Write(message, Deadline.Now, CancellationToken.None);
    }

    /// <summary>Writes a message; waits until there is room for it.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        cancellationToken.ThrowIfCancellationRequested();
        _writer.Write(message, Deadline.Never, cancellationToken);
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
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        long deadline = Deadline.After(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        return _writer.Write(message, deadline, cancellationToken);
    }

    /// <summary>Takes room for a message in the ring itself, if there is any.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="room">The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</param>
    /// <returns>True if there was room.</returns>
    /// <remarks>The next call that writes abandons a room that was not committed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryBeginWrite(int length, out SharedRoom room)
    {
        ThrowIfNotLength(length);
        return _writer.Begin(length, Deadline.Now, CancellationToken.None, out room);
    }

    /// <summary>Takes room for a message in the ring itself; waits until there is any.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</returns>
    /// <remarks>The next call that writes abandons a room that was not committed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public SharedRoom BeginWrite(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        cancellationToken.ThrowIfCancellationRequested();
        _writer.Begin(length, Deadline.Never, cancellationToken, out SharedRoom room);
        return room;
    }

    /// <summary>Takes room for a message in the ring itself; waits until there is any, or it is late.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="room">The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there was room; false if there was none until the timeout.</returns>
    /// <remarks>The next call that writes abandons a room that was not committed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>, or <paramref name="timeout"/> is negative and not
    /// infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        long deadline = Deadline.After(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        return _writer.Begin(length, deadline, cancellationToken, out room);
    }

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryRead(Span<byte> destination, out int length)
    {
        int? read = _reader.Read(destination, Deadline.Now, CancellationToken.None);
        length = read.GetValueOrDefault();
        return read.HasValue;
    }

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public int Read(Span<byte> destination, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Read(destination, Deadline.Never, cancellationToken).GetValueOrDefault();
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
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        int? read = _reader.Read(destination, deadline, cancellationToken);
        length = read.GetValueOrDefault();
        return read.HasValue;
    }

    /// <summary>Returns the next message in place, if there is one.</summary>
    /// <param name="message">The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</param>
    /// <returns>True if there was a message.</returns>
    /// <remarks>A message that was not passed is returned again by the next read.</remarks>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryBeginRead(out SharedMessage message) => _reader.Begin(Deadline.Now, CancellationToken.None, out message);

    /// <summary>Returns the next message in place; waits until there is one.</summary>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</returns>
    /// <remarks>A message that was not passed is returned again by the next read.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public SharedMessage BeginRead(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _reader.Begin(Deadline.Never, cancellationToken, out SharedMessage message);
        return message;
    }

    /// <summary>Returns the next message in place; waits until there is one, or it is late.</summary>
    /// <param name="message">The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if there was a message; false if there was none until the timeout.</returns>
    /// <remarks>A message that was not passed is returned again by the next read.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool BeginRead(out SharedMessage message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Begin(deadline, cancellationToken, out message);
    }

    /// <inheritdoc/>
    bool IMessageReader.TryRead(ref byte[] buffer, out int length) => _reader.TryRead(ref buffer, out length);

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
        $"The message has {message.Length} bytes; the longest that the ring \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private void ThrowNotLength(int length) => throw new ArgumentOutOfRangeException(
        nameof(length), length,
        $"A message in the ring \"{Name}\" has 0 to {MaxMessageLength} bytes, half the ring's capacity.");
}
