namespace Tarn;

/// <summary>A message of a <see cref="SharedTopic"/> where it lies. <see cref="End"/> passes it, and tells whether it stayed
/// whole.</summary>
/// <remarks>
/// While its reader does not hold the writer back, the writer may overwrite the message at any time. So what a program has read from
/// <see cref="Span"/> is the message only if <see cref="End"/> returns true afterwards. Use it on one thread, and dispose it. Do not use
/// its span afterwards.
/// </remarks>
public readonly ref struct SharedTopicMessage
{
    private readonly SharedTopicReader? _reader;

    internal SharedTopicMessage(SharedTopicReader reader, long position, ReadOnlySpan<byte> span)
    {
        _reader = reader;
        Position = position;
        Span = span;
    }

    /// <summary>The message.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>The number of messages that were published before it.</summary>
    public long Position { get; }

    /// <summary>Passes the message: the next read returns the one after it.</summary>
    /// <returns>
    /// True if the message was whole until now. False if it was overwritten: what was read from it is worthless, and it is counted as lost,
    /// with those that were overwritten after it.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The message was ended or disposed, another read began after it, or it is no message of a topic.
    /// </exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool End() => (_reader ?? throw SharedTopic.NotBegun("read")).EndRead(Position);

    /// <summary>Leaves the message unread if it was not ended: the next read returns it again, unless it is overwritten by then.</summary>
    public void Dispose() => _reader?.GiveUpRead(Position);
}
