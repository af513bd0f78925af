using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <content>Writes, and readers.</content>
public sealed unsafe partial class SharedTopic
{
    /// <summary>Writes a message, unless a reader holds the writer back.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message) => TryWrite(message, TimeSpan.Zero);

    /// <summary>Writes a message; waits as long as a reader holds the writer back.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <returns>True if the message was written; false if there was no room until the timeout.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        if (message.Length > MaxMessageLength)
        {
            ThrowTooLong(message);
        }

        long deadline = Deadline.After(timeout);
        EnterWriter();
        try
        {
            if (!_writer.TryBegin(deadline, cancellationToken, out long position))
            {
                return false;
            }

            BufferCopy.Copy(message, Slots.RoomAt(position));
            return _writer.TryPublish(position, message.Length);
        }
        finally
        {
            _writer.Leave();
        }
    }

    /// <summary>
    /// Returns room for a message in the topic itself, unless a reader holds the writer back; <see cref="SharedTopicRoom.End"/> publishes
    /// the message.
    /// </summary>
    /// <param name="room">The room. Dispose it.</param>
    /// <returns>True if there was room.</returns>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryBeginWrite(out SharedTopicRoom room) => TryBeginWrite(out room, TimeSpan.Zero);

    /// <summary>
    /// Returns room for a message in the topic itself; waits as long as a reader holds the writer back. <see cref="SharedTopicRoom.End"/>
    /// publishes the message.
    /// </summary>
    /// <param name="room">The room. Dispose it.</param>
    /// <param name="timeout">
    /// How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes, <see cref="TimeSpan.Zero"/> for not at all.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there was room; false if there was none until the timeout.</returns>
    /// <remarks>The next call that writes discards a message that was begun but not ended.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryBeginWrite(out SharedTopicRoom room, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        long deadline = Deadline.After(timeout);
        EnterWriter();
        try
        {
            bool isBegun = _writer.TryBegin(deadline, cancellationToken, out long position);
            room = isBegun ? new SharedTopicRoom(this, position, Slots.RoomAt(position)) : default;
            return isBegun;
        }
        finally
        {
            _writer.Leave();
        }
    }

    /// <summary>Waits until no reader holds the writer back, without holding a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait. The topic is then as it was.</param>
    /// <returns>
    /// True, when <see cref="TryBeginWrite(out SharedTopicRoom)"/> or <see cref="TryWrite(ReadOnlySpan{byte})"/> finds room. There is no
    /// other result.
    /// </returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Await it before the next write.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public ValueTask<bool> WaitToWriteAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(cancellationToken);
        }

        EnterWriter();
        return _writer.WaitAsync(cancellationToken);
    }

    /// <summary>Makes a reader of this topic.</summary>
    /// <param name="fromOldest">
    /// Whether it begins with the oldest message that the topic keeps; false to begin with the next that is published. A reader that holds
    /// the writer back begins up to a sixteenth of the capacity later, because the writer may be about to overwrite so many.
    /// </param>
    /// <param name="holdsWriter">
    /// Whether the writer waits for this reader, rather than overwrite what it has not read; false by default. Up to 60 readers of a topic
    /// can do so.
    /// </param>
    /// <returns>The reader. The caller must dispose it; the disposal of this object ends it too.</returns>
    /// <exception cref="InvalidOperationException">60 readers hold the writer back.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public SharedTopicReader OpenReader(bool fromOldest = false, bool holdsWriter = false)
    {
        Enter();
        try
        {
            long tail = ReadTail();
            long position = fromOldest ? Math.Max(0, tail - Capacity) : tail;
            int? member = holdsWriter ? Join(ref position) : null;
            return Add(position, 0, member);
        }
        finally
        {
            Calls.Leave();
        }
    }

    /// <summary>Makes a reader of this topic that begins with a certain message, for instance where its predecessor ended.</summary>
    /// <param name="position">
    /// The message's position. If the topic does not keep the message any more, the reader begins with the oldest that it keeps, and counts
    /// those between as lost.
    /// </param>
    /// <param name="holdsWriter">As for <see cref="OpenReader"/>.</param>
    /// <returns>The reader. The caller must dispose it; the disposal of this object ends it too.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="position"/> is negative or beyond <see cref="Position"/>.
    /// </exception>
    /// <inheritdoc cref="OpenReader" path="/exception"/>
    public SharedTopicReader OpenReaderAt(long position, bool holdsWriter = false)
    {
        Enter();
        try
        {
            long tail = ReadTail();
            if (position < 0 || position > tail)
            {
                Throw.Outside(nameof(position), position, tail);
            }

            long first = Math.Max(position, tail - Capacity);
            int? member = holdsWriter ? Join(ref first) : null;
            return Add(first, first - position, member);
        }
        finally
        {
            Calls.Leave();
        }
    }

    internal void EndWrite(long position, int length)
    {
        EnterWriter();
        bool isPublished = _writer.TryPublish(position, length);
        _writer.Leave();
        if (!isPublished)
        {
            throw NotBegun("write");
        }
    }

    internal void GiveUpWrite(long position) => _writer.GiveUpMessage(position);

    private long ReadTail()
    {
        long tail = Volatile.Read(ref Header->Tail);
        if (tail is < 0 or > TopicHeader.MostPosition)
        {
            Slots.ThrowCorrupted($"its writer is at {tail}");
        }

        return tail;
    }

    /// <summary>Becomes a member that holds the writer back, at a position or as soon after it as it still can.</summary>
    private int Join(ref long position)
    {
        int member = Members.Join() ?? throw new InvalidOperationException(
            $"{RegionMembers.Most} readers hold the writer of the topic \"{Name}\" back, and no more can: dispose one of them, or open one "
                + "that does not.");
        position = Slots.Hold(member, position);
        if (position > Volatile.Read(ref Header->Tail))
        {
            Leave(member);
            Slots.ThrowCorrupted($"its writer may write up to {Volatile.Read(ref Header->Limit)}, and is not near");
        }

        return member;
    }

    private SharedTopicReader Add(long position, long lost, int? member)
    {
        TopicReader side = new(this, position, lost, member, _data) { GoesOnInline = _writer.GoesOnInline };
        using (_lock.Hold())
        {
            _readers.Add(side);
        }

        return new SharedTopicReader(this, side);
    }

    [DoesNotReturn]
    private void ThrowTooLong(ReadOnlySpan<byte> message) => throw new ArgumentException(
        $"The message has {message.Length} bytes; the longest that the topic \"{Name}\" takes has {MaxMessageLength}.", nameof(message));
}
