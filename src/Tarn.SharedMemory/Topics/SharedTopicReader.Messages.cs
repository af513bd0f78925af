namespace Tarn.SharedMemory;

/// <content>Reads.</content>
public sealed partial class SharedTopicReader : IMessageReader
{
    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message. After a false result, its contents are undefined.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool TryRead(Span<byte> destination, out int length) =>
        Read(destination, out length, Deadline.Now, CancellationToken.None);

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public int Read(Span<byte> destination, CancellationToken cancellationToken = default)
    {
        Read(destination, out int length, Deadline.Never, cancellationToken);
        return length;
    }

    /// <summary>Reads the next message; waits until there is one, or it is late.</summary>
    /// <param name="destination">Receives the message. After a false result, its contents are undefined.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>True if a message was read; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        return Read(destination, out length, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Returns the next message in place, if there is one.</summary>
    /// <param name="message">The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</param>
    /// <returns>True if there was a message.</returns>
    /// <remarks>
    /// A message that was not passed is returned again by the next read. If this reader does not hold the writer back, the message may be
    /// overwritten while it is read, which <see cref="SharedMessage.Pass"/> tells: use nothing from it before that returns true.
    /// </remarks>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool TryBeginRead(out SharedMessage message) => Begin(out message, Deadline.Now, CancellationToken.None);

    /// <summary>Returns the next message in place; waits until there is one.</summary>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message, which <see cref="SharedMessage.Pass"/> ends. Dispose it.</returns>
    /// <remarks>
    /// A message that was not passed is returned again by the next read. If this reader does not hold the writer back, the message may be
    /// overwritten while it is read, which <see cref="SharedMessage.Pass"/> tells: use nothing from it before that returns true.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
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
    /// <remarks>
    /// A message that was not passed is returned again by the next read. If this reader does not hold the writer back, the message may be
    /// overwritten while it is read, which <see cref="SharedMessage.Pass"/> tells: use nothing from it before that returns true.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool BeginRead(out SharedMessage message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        return Begin(out message, Deadline.After(timeout), cancellationToken);
    }

    /// <summary>Reads the next message; waits until there is one, without holding a thread.</summary>
    /// <param name="destination">Receives the message. Leave it alone until the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes. Await it before the next call that reads.</returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAsync(this, destination, cancellationToken);

    /// <summary>Waits until there is a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The reader is then as it was.</param>
    /// <returns>
    /// The wait, after which there is a message. If the writer overwrites it first, the next read may find none. Await it before the next
    /// read.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public ValueTask WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        _side.Enter();
        return _side.WaitAsync(this, cancellationToken);
    }

    /// <summary>Reads messages as they come, until a cancellation ends it by its exception.</summary>
    /// <param name="cancellationToken">Ends it before the next message. No message is lost: the next read returns it.</param>
    /// <returns>
    /// Each message in the same buffer, so valid until the loop takes its next step: copy what is to live longer. The buffer grows to the
    /// longest message; nothing is allocated for each. A message is passed when the loop receives it. To pass one after its work, call
    /// <see cref="WaitToReadAsync"/> and <see cref="TryBeginRead"/>.
    /// </returns>
    /// <exception cref="OutOfMemoryException">
    /// There is no memory for a longer buffer, or no thread that waits. The message remains.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAllAsync(this, cancellationToken);
}
