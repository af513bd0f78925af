namespace Tarn.SharedMemory;

/// <content>Readers.</content>
public sealed unsafe partial class SharedTopic
{
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
            $"{RegionHeader.MostMembers} readers hold the writer of the topic \"{Name}\" back, and no more can: dispose one of them, "
                + "or open one that does not.");
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
        TopicReader side = new(this, position, lost, member, _data);
        using (_lock.Hold())
        {
            _readers.Add(side);
        }

        return new SharedTopicReader(this, side);
    }
}
