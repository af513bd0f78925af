using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A reader of a <see cref="SharedTopic"/>, with a position of its own: <see cref="SharedTopic.OpenReader"/> makes it.</summary>
/// <remarks>
/// <para>It gets every message from its first on, in order, except those that the writer overwrote before it read them.
/// <see cref="LostCount"/> counts these. A reader that holds the writer back loses none.</para>
/// <para>One thread at a time may read. <see cref="Dispose"/> is safe at any time, from any thread: a waiting call then throws
/// <see cref="ObjectDisposedException"/>. The disposal of the topic ends its readers in the same way. A reader that holds the writer back
/// does so until it is disposed, or its process ends.</para>
/// </remarks>
public sealed class SharedTopicReader : IDisposable
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

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool TryRead(Span<byte> destination, out int length) => TryRead(destination, out length, TimeSpan.Zero);

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message. After a false result, its contents are undefined.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if a message was read; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryRead(Span{byte}, out int)" path="/exception"/>
    public bool TryRead(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        Enter();
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

    /// <summary>Returns the next message in place, if there is one; <see cref="SharedTopicMessage.End"/> passes it.</summary>
    /// <param name="message">The message. Dispose it.</param>
    /// <returns>True if there was a message.</returns>
    /// <inheritdoc cref="TryBeginRead(out SharedTopicMessage, TimeSpan, CancellationToken)" path="/remarks"/>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time.</exception>
    /// <exception cref="ObjectDisposedException">The reader or the topic was disposed.</exception>
    public bool TryBeginRead(out SharedTopicMessage message) => TryBeginRead(out message, TimeSpan.Zero);

    /// <summary>Returns the next message in place; waits until there is one. <see cref="SharedTopicMessage.End"/> passes it.</summary>
    /// <param name="message">The message. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there was a message; false if there was none until the timeout.</returns>
    /// <remarks>
    /// A message that was not ended is returned again by the next read. If this reader does not hold the writer back, the message may be
    /// overwritten while it is read, which <see cref="SharedTopicMessage.End"/> tells: examine nothing in it that must not be wrong, and
    /// use nothing from it, before that returns true.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedTopicMessage)" path="/exception"/>
    public bool TryBeginRead(out SharedTopicMessage message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        Enter();
        try
        {
            bool isBegun = _side.TryBegin(int.MaxValue, deadline, cancellationToken, out long position, out int length);
            message = isBegun ? new SharedTopicMessage(this, position, Topic.Slots.MessageAt(position, length)) : default;
            return isBegun;
        }
        finally
        {
            _side.Leave();

            // A forgotten reader is ended, and not while a call is inside.
            GC.KeepAlive(this);
        }
    }

    /// <summary>Waits until there is a message, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>
    /// True, when there is a message. There is no other result, because a topic has no end. If the writer overwrites the message first, the
    /// next read may find none.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Await it before the next read.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedTopicMessage)" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(cancellationToken);
        }

        Enter();
        return _side.WaitAsync(this, cancellationToken);
    }

    /// <summary>Reads messages as they come, until a cancellation ends it by its exception.</summary>
    /// <param name="cancellationToken">Ends it before the next message.</param>
    /// <returns>Each message in an array of its own, which the caller may keep.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for the array, or no thread that waits. The message remains.</exception>
    /// <inheritdoc cref="TryBeginRead(out SharedTopicMessage)" path="/exception"/>
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

    /// <summary>Ends the reader. It holds the writer back no more. A second call does nothing.</summary>
    public void Dispose()
    {
        Topic.Close(_side);
        GC.SuppressFinalize(this);
    }

    internal bool EndRead(long position)
    {
        Enter();
        try
        {
            return _side.TryPass(position, out bool isWhole) ? isWhole : throw SharedTopic.NotBegun("read");
        }
        finally
        {
            _side.Leave();

            // A forgotten reader is ended, and not while a call is inside.
            GC.KeepAlive(this);
        }
    }

    internal void GiveUpRead(long position) => _side.GiveUpMessage(position);

    /// <summary>Returns the next message in an array of its own; null if there is none, or it was overwritten.</summary>
    private byte[]? TryReadCopy()
    {
        if (!TryBeginRead(out SharedTopicMessage message))
        {
            return null;
        }

        using (message)
        {
            byte[] copy = message.Span.ToArray();
            return message.End() ? copy : null;
        }
    }

    private void Enter()
    {
        if (!_side.TryEnter())
        {
            ThrowRefused();
        }
    }

    [DoesNotReturn]
    private void ThrowRefused() => throw (_side.IsClosing
        ? new ObjectDisposedException(nameof(SharedTopicReader), $"The reader of the topic \"{Topic.Name}\", or the topic, was disposed.")
        : new InvalidOperationException(
            $"Two threads read with one reader of the topic \"{Topic.Name}\" at the same time, or a call came before the end of a wait "
                + "that holds no thread. Open a reader for each, or let one thread at a time read, and await each wait."));
}
