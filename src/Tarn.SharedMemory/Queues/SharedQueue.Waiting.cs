namespace Tarn.SharedMemory;

/// <content>Calls that hold no thread.</content>
public sealed unsafe partial class SharedQueue
{
    /// <summary>Reads the next message; waits until there is one, without holding a thread.</summary>
    /// <param name="destination">Receives the message. Leave it alone until the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes.</returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAsync(this, destination, cancellationToken);

    /// <summary>Waits until there may be a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The queue is then as it was.</param>
    /// <returns>
    /// The wait, after which <see cref="TryBeginRead"/> and <see cref="TryRead"/> may find a message: another reader may be first.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public ValueTask WaitToReadAsync(CancellationToken cancellationToken = default) => WaitAsync(_readers, cancellationToken);

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
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAllAsync(this, cancellationToken);

    /// <summary>Writes a message; waits until there is room for it, without holding a thread.</summary>
    /// <param name="message">The message; may be empty. It must not change before the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>The write. If there is room, it is over when this returns.</returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken cancellationToken = default) =>
        MessageTasks.WriteAsync(this, message, cancellationToken);

    /// <summary>Waits until there may be room for a message, without holding a thread.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait. The queue is then as it was.</param>
    /// <returns>
    /// The wait, after which <see cref="TryBeginWrite"/> and <see cref="TryWrite"/> may find room: another writer may be first. All rooms
    /// of
    /// a queue are equal, so the length is only examined.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="InvalidDataException">The queue is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public ValueTask WaitToWriteAsync(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        return WaitAsync(_writers, cancellationToken);
    }

    private ValueTask WaitAsync(QueueSide side, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        Enter();
        return side.WaitAsync(cancellationToken);
    }
}
