namespace Tarn;

/// <summary>Room for a message in a <see cref="SharedQueue"/> itself. <see cref="End"/> publishes the message.</summary>
/// <remarks>
/// Until it is ended or disposed, readers wait for this message, because messages come in the order in which their rooms were taken. Use it
/// at once, on one thread, and dispose it. Do not use its span afterwards.
/// </remarks>
public readonly ref struct SharedQueueRoom
{
    private readonly SharedQueue? _queue;
    private readonly long _position;

    internal SharedQueueRoom(SharedQueue queue, long position, Span<byte> span)
    {
        _queue = queue;
        _position = position;
        Span = span;
    }

    /// <summary>The room, with undefined contents: <see cref="SharedQueue.MaxMessageLength"/> bytes.</summary>
    public Span<byte> Span { get; }

    /// <summary>Publishes the message.</summary>
    /// <param name="length">Its length in bytes, from the beginning of <see cref="Span"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than the room has. The message can still be ended.
    /// </exception>
    /// <exception cref="InvalidOperationException">The message was ended or the room disposed, or it is no room of a queue.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void End(int length)
    {
        if ((uint)length > (uint)Span.Length)
        {
            Throw.Outside(nameof(length), length, Span.Length);
        }

        (_queue ?? throw SharedQueue.NotBegun("write")).EndWrite(_position, length);
    }

    /// <summary>Gives the room up if the message was not ended: readers pass it. Otherwise does nothing.</summary>
    public void Dispose() => _queue?.GiveUpWrite(_position);
}
