using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Waits that hold no thread.</content>
public sealed unsafe partial class SharedQueue
{
    /// <summary>Waits until there may be a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The queue is then as it was.</param>
    /// <returns>
    /// True, when <see cref="TryBeginRead(out SharedQueueMessage)"/> or <see cref="TryRead(Span{byte}, out int)"/> may find a message:
    /// another reader may be first. There is no other result, because a queue has no end.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedQueueMessage)" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) => WaitAsync(_readers, cancellationToken);

    /// <summary>Waits until there may be room for a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The queue is then as it was.</param>
    /// <returns>
    /// True, when <see cref="TryBeginWrite(out SharedQueueRoom)"/> or <see cref="TryWrite(ReadOnlySpan{byte})"/> may find room: another
    /// writer may be first. There is no other result.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="TryBeginWrite(out SharedQueueRoom)" path="/exception"/>
    public ValueTask<bool> WaitToWriteAsync(CancellationToken cancellationToken = default) => WaitAsync(_writers, cancellationToken);

    /// <summary>Reads messages as they come, until a cancellation ends it by its exception.</summary>
    /// <param name="cancellationToken">Ends it before the next message. No message is lost: the next read returns it.</param>
    /// <returns>
    /// Each message in an array of its own, which the caller may keep. It is passed when the loop receives it. To copy nothing, or to pass
    /// a message after its work, call <see cref="WaitToReadAsync"/>, <see cref="TryBeginRead(out SharedQueueMessage)"/> and
    /// <see cref="SharedQueueMessage.End"/>.
    /// </returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for the array, or no thread that waits. The message remains.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedQueueMessage)" path="/exception"/>
    public async IAsyncEnumerable<byte[]> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        while (await WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (TryReadCopy() is { } message)
            {
                yield return message;
            }
        }
    }

    /// <summary>Returns the next message in an array of its own; null if there is none.</summary>
    private byte[]? TryReadCopy()
    {
        if (!TryBeginRead(out SharedQueueMessage message))
        {
            return null;
        }

        using (message)
        {
            byte[] copy = message.Span.ToArray();
            message.End();
            return copy;
        }
    }

    private ValueTask<bool> WaitAsync(QueueSide side, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(cancellationToken);
        }

        Enter();
        return side.WaitAsync(cancellationToken);
    }
}
