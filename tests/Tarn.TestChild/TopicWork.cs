using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The work of a topic's writer and readers: the message of each position is known, with every way of working.</summary>
internal static class TopicWork
{
    /// <summary>Long: calls end by what they wait for.</summary>
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    internal static byte[] MessageAt(SharedTopic topic, long position) => QueueLog.Message(0, position, topic.MaxMessageLength);

    /// <summary>Writes the next message; false if there was no room until the timeout.</summary>
    internal static bool TryWrite(SharedTopic topic, TimeSpan timeout, Random? pauses = null)
    {
        long position = topic.Position;
        byte[] message = MessageAt(topic, position);
        if (position % 2 == 0)
        {
            return topic.Write(message, timeout);
        }

        if (!topic.BeginWrite(topic.MaxMessageLength, out SharedRoom room, timeout))
        {
            return false;
        }

        using (room)
        {
            message.CopyTo(room.Span);
            RingWork.Pause(pauses);
            room.Commit(message.Length);
            return room.Position == position ? true : throw new InvalidDataException($"Message {position} was written at {room.Position}.");
        }
    }

    internal static void Write(SharedTopic topic, long count, Random? pauses)
    {
        for (long i = 0; i < count; i++)
        {
            RingWork.Pause(pauses);
            if (!TryWrite(topic, s_long, pauses))
            {
                throw new TimeoutException($"There was no room for {s_long}.");
            }
        }
    }

    /// <summary>Reads the next message, which must be the one of its position; false if there was none until the timeout.</summary>
    /// <exception cref="InvalidDataException">It is torn, of another position, or the lost ones are not counted.</exception>
    internal static bool TryRead(SharedTopicReader reader, TimeSpan timeout, Random? pauses = null)
    {
        (long position, long lost) = (reader.Position, reader.LostCount);
        if (position % 2 == 0)
        {
            byte[] bytes = new byte[reader.Topic.MaxMessageLength];
            if (!reader.Read(bytes, out int length, timeout))
            {
                return false;
            }

            Verify(reader, bytes.AsSpan(0, length), reader.Position - 1, position, lost);
            return true;
        }

        while (reader.BeginRead(out SharedMessage message, timeout))
        {
            using (message)
            {
                RingWork.Pause(pauses);
                byte[] bytes = message.Span.ToArray();
                if (message.Pass())
                {
                    Verify(reader, bytes, message.Position, position, lost);
                    return true;
                }
            }
        }

        return false;
    }

    internal static void ReadUntilKilled(SharedTopicReader reader, Random pauses)
    {
        while (true)
        {
            RingWork.Pause(pauses);
            TryRead(reader, s_long, pauses);
        }
    }

    private static void Verify(SharedTopicReader reader, ReadOnlySpan<byte> message, long position, long before, long lost)
    {
        if (!message.SequenceEqual(MessageAt(reader.Topic, position)))
        {
            throw new InvalidDataException($"The message at {position} is torn, or another one.");
        }

        if (position - before != reader.LostCount - lost || (reader.HoldsWriter && position != before))
        {
            throw new InvalidDataException(
                $"After {before} messages came {position}, and {reader.LostCount - lost} count as lost; holds back: {reader.HoldsWriter}.");
        }
    }
}
