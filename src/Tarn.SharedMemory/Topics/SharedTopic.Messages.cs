using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <content>Writes.</content>
public sealed unsafe partial class SharedTopic : IMessageWriter
{
    /// <summary>Writes a message, unless a reader holds the writer back.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message)
    {
        ThrowIfTooLong(message);
        return Write(message, Deadline.Now, CancellationToken.None);
    }

    /// <summary>Writes a message; waits as long as a reader holds the writer back.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        Write(message, Deadline.Never, cancellationToken);
    }

    /// <summary>Writes a message; waits as long as a reader holds the writer back, unless it is late.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>True if the message was written; false if there was no room until the timeout.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        return Write(message, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Takes room for a message in the topic itself, unless a reader holds the writer back.</summary>
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
        return Begin(length, out room, Deadline.Now, CancellationToken.None);
    }

    /// <summary>Takes room for a message in the topic itself; waits as long as a reader holds the writer back.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The room, whose <see cref="SharedRoom.Commit"/> publishes the message. Dispose it.</returns>
    /// <remarks>The next call that writes abandons a room that was not committed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public SharedRoom BeginWrite(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        Begin(length, out SharedRoom room, Deadline.Never, cancellationToken);
        return room;
    }

    /// <summary>Takes room for a message in the topic itself; waits as long as a reader holds the writer back, unless it is late.</summary>
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
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        return Begin(length, out room, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Writes a message; waits until there is room for it, without holding a thread.</summary>
    /// <param name="message">The message; may be empty. It must not change before the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>The write. If there is room, it is over when this returns. Await it before the next call that writes.</returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken cancellationToken = default) =>
        MessageTasks.WriteAsync(this, message, cancellationToken);

    /// <summary>Waits until there is room for a message, without holding a thread.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait. The topic is then as it was.</param>
    /// <returns>
    /// The wait, after which <see cref="TryBeginWrite"/> and <see cref="TryWrite"/> find room. All rooms of a topic are equal, so the
    /// length
    /// is only examined. Await it before the next call that writes.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask WaitToWriteAsync(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        EnterWriter();
        return _writer.WaitAsync(cancellationToken);
    }

    private bool Write(ReadOnlySpan<byte> message, long deadline, CancellationToken cancellationToken)
    {
        EnterWriter();
        try
        {
            if (!_writer.TryBegin(deadline, cancellationToken, out long position))
            {
                return false;
            }

            BufferCopy.Copy(message, Slots.RoomAt(position));
            return _writer.TryPublish(position, message.Length);
        }
        finally
        {
            _writer.Leave();
        }
    }

    private bool Begin(int length, out SharedRoom room, long deadline, CancellationToken cancellationToken)
    {
        EnterWriter();
        try
        {
            bool isBegun = _writer.TryBegin(deadline, cancellationToken, out long position);
            room = isBegun ? new SharedRoom(_writer, position, Slots.RoomAt(position)[..length]) : default;
            return isBegun;
        }
        finally
        {
            _writer.Leave();
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
        $"The message has {message.Length} bytes; the longest that the topic \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private void ThrowNotLength(int length) => throw new ArgumentOutOfRangeException(
        nameof(length), length, $"A message in the topic \"{Name}\" has 0 to {MaxMessageLength} bytes.");
}
