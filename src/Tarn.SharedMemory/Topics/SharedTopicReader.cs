namespace Tarn.SharedMemory;

/// <summary>A reader of a <see cref="SharedTopic"/>, with a position of its own: <see cref="SharedTopic.OpenReader"/> makes it.</summary>
/// <remarks>
/// <para>It gets every message from its first on, in order, except those that the writer overwrote before it read them.
/// <see cref="LostCount"/> counts these. A reader that holds the writer back loses none.</para>
/// <para>One thread at a time may read. <see cref="Dispose"/> is safe at any time, from any thread: a waiting call then throws
/// <see cref="ObjectDisposedException"/>. The disposal of the topic ends its readers in the same way. A reader that holds the writer back
/// does so until it is disposed, or its process ends.</para>
/// </remarks>
public sealed partial class SharedTopicReader : IDisposable
{
    private readonly TopicReader _side;

    internal SharedTopicReader(SharedTopic topic, TopicReader side)
    {
        Topic = topic;
        _side = side;
    }

    /// <summary>
    /// Ends a forgotten reader. If a message is in progress, its span may still be in use, so the reader stays until the process ends.
    /// </summary>
    ~SharedTopicReader()
    {
        if (_side.HasBegun)
        {
            Topic.KeepUntilExit();
            return;
        }

        Topic.Close(_side);
    }

    /// <summary>The topic that it reads.</summary>
    public SharedTopic Topic { get; }

    /// <summary>Whether the writer waits for this reader.</summary>
    public bool HoldsWriter => _side.Member is not null;

    /// <summary>The position of the next message: the number of messages before it.</summary>
    public long Position => _side.Position;

    /// <summary>
    /// The messages that this reader did not get, because the writer overwrote them first. A reader that is overtaken also passes over a
    /// quarter of the messages that the topic still keeps, which are counted too: otherwise it would be overtaken again at once. So
    /// <see cref="Position"/> is always the position of the first message, and the messages that were read, and this.
    /// </summary>
    public long LostCount => _side.Lost;

    /// <summary>Ends the reader. It holds the writer back no more. A second call does nothing.</summary>
    public void Dispose()
    {
        Topic.Close(_side);
        GC.SuppressFinalize(this);
    }

    private bool Read(Span<byte> destination, out int length, long deadline, CancellationToken cancellationToken)
    {
        _side.Enter();
        try
        {
            while (_side.TryBegin(destination.Length, deadline, cancellationToken, out long position, out length))
            {
                BufferCopy.Copy(Topic.Slots.MessageAt(position, length), destination);
                _side.TryPass(position, out bool isWhole);
                if (isWhole)
                {
                    return true;
                }
            }

            return false;
        }
        finally
        {
            _side.Leave();

            // A forgotten reader is ended, and not while a call is inside.
            GC.KeepAlive(this);
        }
    }

    /// <inheritdoc/>
    bool IMessageReader.TryRead(ref byte[] buffer, out int length)
    {
        _side.Enter();
        try
        {
            while (_side.TryBegin(int.MaxValue, Deadline.Now, CancellationToken.None, out long position, out length))
            {
                MessageTasks.Grow(ref buffer, length);
                BufferCopy.Copy(Topic.Slots.MessageAt(position, length), buffer);
                _side.TryPass(position, out bool isWhole);
                if (isWhole)
                {
                    return true;
                }
            }

            return false;
        }
        finally
        {
            _side.Leave();

            // A forgotten reader is ended, and not while a call is inside.
            GC.KeepAlive(this);
        }
    }

    private bool Begin(out SharedMessage message, long deadline, CancellationToken cancellationToken)
    {
        _side.Enter();
        try
        {
            bool isBegun = _side.TryBegin(int.MaxValue, deadline, cancellationToken, out long position, out int length);
            message = isBegun ? new SharedMessage(_side, position, Topic.Slots.MessageAt(position, length)) : default;
            return isBegun;
        }
        finally
        {
            _side.Leave();

            // A forgotten reader is ended, and not while a call is inside.
            GC.KeepAlive(this);
        }
    }
}
