namespace Tarn.SharedMemory;

/// <summary>What reads messages, as the calls that hold no thread use it.</summary>
internal interface IMessageReader
{
    /// <inheritdoc cref="SharedRing.TryRead"/>
    bool TryRead(Span<byte> destination, out int length);

    /// <summary>
    /// Reads the next message, if there is one, into a buffer that <see cref="MessageTasks.Grow"/> makes long enough. The call is inside
    /// meanwhile, so that no disposal takes the memory away.
    /// </summary>
    /// <exception cref="OutOfMemoryException">There is no memory for a longer buffer. The message remains.</exception>
    bool TryRead(ref byte[] buffer, out int length);

    /// <inheritdoc cref="SharedRing.WaitToReadAsync"/>
    ValueTask WaitToReadAsync(CancellationToken cancellationToken);
}
