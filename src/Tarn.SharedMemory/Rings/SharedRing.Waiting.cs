namespace Tarn.SharedMemory;

/// <content>Calls that hold no thread.</content>
public sealed unsafe partial class SharedRing
{
    /// <summary>Reads the next message; waits until there is one, without holding a thread.</summary>
    /// <param name="destination">Receives the message. Leave it alone until the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. No message is lost then.</param>
    /// <returns>The message's length in bytes. Await it before the next call that reads.</returns>
    /// <remarks>The wait costs what that of <see cref="WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAsync(this, destination, cancellationToken);

    /// <summary>Waits until there is a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The ring is then as it was.</param>
    /// <returns>
    /// The wait, after which <see cref="TryBeginRead"/> and <see cref="TryRead"/> find a message. A ring has no end: a writer that exits is
    /// reported by <see cref="SharedPeerLostException"/>. Await it before the next call that reads.
    /// </returns>
    /// <remarks>
    /// <para>A call that finds a message allocates nothing. Otherwise it spins, as a call that waits does. Then a background thread sleeps
    /// for all waits of the process: on Linux 5.16 and later for up to 127 of them, on Windows for up to 63; another thread serves the next
    /// ones. On macOS and earlier Linux, each wait takes a thread. A thread ends when it had nothing to wait for for 10 seconds. The thread
    /// pool continues the task, or this thread does if <see cref="AllowSynchronousContinuations"/> is set.</para>
    /// <para>The exit of the writer is found within about a tenth of a second if fewer than 128 waits are in progress, and a tenth later
    /// for each 128 more. A writer that disposes its ring is noticed at once.</para>
    /// </remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public ValueTask WaitToReadAsync(CancellationToken cancellationToken = default) =>
        _reader.WaitForAsync(RingHeader.RecordAlignment, cancellationToken);

    /// <summary>Reads messages as they come, until a loss or a cancellation ends it by its exception.</summary>
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
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        MessageTasks.ReadAllAsync(this, cancellationToken);

    /// <summary>Writes a message; waits until there is room for it, without holding a thread.</summary>
    /// <param name="message">The message; may be empty. It must not change before the task ends.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>The write. If there is room, it is over when this returns. Await it before the next call that writes.</returns>
    /// <remarks>The wait costs what that of <see cref="WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken cancellationToken = default) =>
        MessageTasks.WriteAsync(this, message, cancellationToken);

    /// <summary>Waits until there is room for a message, without holding a thread.</summary>
    /// <param name="length">The most bytes that the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait. The ring is then as it was.</param>
    /// <returns>
    /// The wait, after which <see cref="TryBeginWrite"/> and <see cref="TryWrite"/> find room for a message of this length. Await it before
    /// the next call that writes.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="WaitToReadAsync"/> does.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask WaitToWriteAsync(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        return _writer.WaitForAsync(RingHeader.RecordSize(length), cancellationToken);
    }
}
