using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Waits that hold no thread.</content>
public sealed partial class SharedRing
{
    /// <summary>Waits until there is a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The ring is then as it was.</param>
    /// <returns>
    /// True, when <see cref="TryBeginRead"/> and <see cref="TryRead"/> find a message. There is no other result, because a ring has no end:
    /// a writer that exits is reported by <see cref="SharedPeerLostException"/>. Await it before the next call that reads.
    /// </returns>
    /// <remarks>
    /// <para>A call that finds a message allocates nothing. Otherwise it spins, as a call that waits does. Then a background thread sleeps
    /// for all waits of the process: on Linux 5.16 and later for up to 127 of them, on Windows for up to 63; another thread serves the next
    /// ones. On macOS and earlier Linux, each wait takes a thread. A thread ends when it had nothing to wait for for 10 seconds. The thread
    /// pool continues the task, or this thread does if <see cref="SharedRegionOptions.AllowSynchronousContinuations"/> is set.</para>
    /// <para>The exit of the writer is found within about a tenth of a second if fewer than 128 waits are in progress, and a tenth later
    /// for each 128 more. A writer that disposes its ring is noticed at once.</para>
    /// </remarks>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="BeginRead" path="/exception"/>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) =>
        _reader.WaitForAsync(RingHeader.RecordAlignment, cancellationToken);

    /// <summary>Waits until there is room for a message, without holding a thread.</summary>
    /// <param name="length">The message's length in bytes.</param>
    /// <param name="cancellationToken">Cancels the wait. The ring is then as it was.</param>
    /// <returns>
    /// True, when <see cref="TryBeginWrite"/> and <see cref="TryWrite"/> find room for a message of this length. There is no other result:
    /// a reader that exits is reported by <see cref="SharedPeerLostException"/>. Await it before the next call that writes.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="WaitToReadAsync"/> does.</remarks>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="BeginWrite" path="/exception"/>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask<bool> WaitToWriteAsync(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        return _writer.WaitForAsync(RingHeader.RecordSize(length), cancellationToken);
    }

    /// <summary>Reads messages as they come, until a loss or a cancellation ends it by its exception.</summary>
    /// <param name="cancellationToken">Ends it before the next message. No message is lost: the next read returns it.</param>
    /// <returns>
    /// Each message in an array of its own, which the caller may keep. It is passed when the loop receives it: a successor does not find it
    /// again. To copy nothing, or to pass a message after its work, call <see cref="WaitToReadAsync"/>, <see cref="TryBeginRead"/> and
    /// <see cref="EndRead"/>.
    /// </returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the array, or no thread that waits. The message remains.</exception>
    /// <inheritdoc cref="BeginRead" path="/exception"/>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public async IAsyncEnumerable<byte[]> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        while (await WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_reader.TryReadCopy() is { } message)
            {
                yield return message;
            }
        }
    }
}
