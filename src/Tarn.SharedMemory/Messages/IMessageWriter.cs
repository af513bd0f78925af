namespace Tarn.SharedMemory;

/// <summary>What writes messages, as the calls that hold no thread use it.</summary>
internal interface IMessageWriter
{
    /// <inheritdoc cref="SharedRing.TryWrite"/>
    bool TryWrite(ReadOnlySpan<byte> message);

    /// <inheritdoc cref="SharedRing.WaitToWriteAsync"/>
    ValueTask WaitToWriteAsync(int length, CancellationToken cancellationToken);
}
