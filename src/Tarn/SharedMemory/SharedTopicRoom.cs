namespace Tarn;

/// <summary>Room for a message in a <see cref="SharedTopic"/> itself. <see cref="End"/> publishes the message.</summary>
/// <remarks>Use it on one thread, and dispose it. Do not use its span afterwards.</remarks>
public readonly ref struct SharedTopicRoom
{
    private readonly SharedTopic? _topic;

    internal SharedTopicRoom(SharedTopic topic, long position, Span<byte> span)
    {
        _topic = topic;
        Position = position;
        Span = span;
    }

    /// <summary>The room, with undefined contents: <see cref="SharedTopic.MaxMessageLength"/> bytes.</summary>
    public Span<byte> Span { get; }

    /// <summary>The number of messages that were published before this one.</summary>
    public long Position { get; }

    /// <summary>Publishes the message.</summary>
    /// <param name="length">Its length in bytes, from the beginning of <see cref="Span"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than the room has. The message can still be ended.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The message was ended or the room disposed, another write began after it, another thread writes, or it is no room of a topic.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public void End(int length)
    {
        if ((uint)length > (uint)Span.Length)
        {
            Throw.Outside(nameof(length), length, Span.Length);
        }

        (_topic ?? throw SharedTopic.NotBegun("write")).EndWrite(Position, length);
    }

    /// <summary>Gives the room up if the message was not ended: nothing is published. Otherwise does nothing.</summary>
    public void Dispose() => _topic?.GiveUpWrite(Position);
}
