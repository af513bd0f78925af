namespace Tarn;

/// <summary>A message of a <see cref="SharedQueue"/> where it lies. <see cref="End"/> passes it.</summary>
/// <remarks>
/// No other reader gets the message until this one is disposed without <see cref="End"/>, or its process ends. Use it on one thread, and
/// dispose it. Do not use its span afterwards.
/// </remarks>
public readonly ref struct SharedQueueMessage
{
    private readonly SharedQueue? _queue;
    private readonly long _position;

    internal SharedQueueMessage(SharedQueue queue, long position, ReadOnlySpan<byte> span)
    {
        _queue = queue;
        _position = position;
        Span = span;
    }

    /// <summary>The message.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>Passes the message: writers can use its room again.</summary>
    /// <exception cref="InvalidOperationException">The message was ended or disposed, or it is no message of a queue.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void End() => (_queue ?? throw SharedQueue.NotBegun("read")).EndRead(_position);

    /// <summary>Returns the message to the queue if it was not ended: the next reader gets it. Otherwise does nothing.</summary>
    public void Dispose() => _queue?.ReturnRead(_position);
}
