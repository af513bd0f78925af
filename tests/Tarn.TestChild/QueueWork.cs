using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The work of a queue's members: stamped messages, with each way of writing and reading in turn.</summary>
internal static class QueueWork
{
    /// <summary>Long: calls end by what they wait for.</summary>
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    internal static void Write(SharedQueue queue, long generation, int count, Random? pauses)
    {
        for (long index = 0; index < count; index++)
        {
            RingWork.Pause(pauses);
            WriteOne(queue, generation, index, pauses);
        }
    }

    /// <summary>Reads until so many were read in all; the last generation and index of each writer must rise. Returns their sum.</summary>
    internal static long Read(SharedQueue queue, int count, Random? pauses)
    {
        Dictionary<long, long> last = [];
        long sum = 0;
        for (int way = 0; way < count; way++)
        {
            RingWork.Pause(pauses);
            ReadOne(queue, way, new byte[queue.MaxMessageLength], message =>
            {
                (long generation, long index) = QueueLog.Identify(message, queue.MaxMessageLength);
                if (last.TryGetValue(generation, out long before) && index <= before)
                {
                    throw new InvalidDataException($"Message {index} of writer {generation} came after {before}.");
                }

                last[generation] = index;
                sum += index + 1;
            });
        }

        return sum;
    }

    internal static void WriteUntilKilled(SharedQueue queue, QueueLog log, long generation)
    {
        Random random = new((int)generation);
        for (long index = 0; index < QueueLog.MostMessages; index++)
        {
            RingWork.Pause(random);
            Volatile.Write(ref log.Begun(generation), index + 1);
            WriteOne(queue, generation, index, random);
            Volatile.Write(ref log.Written(generation), index + 1);
        }

        Thread.Sleep(Timeout.Infinite);
    }

    internal static void ReadUntilKilled(SharedQueue queue, QueueLog log, int reader)
    {
        Random random = new(reader);
        for (int way = 0; ; way++)
        {
            Span<byte> copy = log.CopyOf(reader)[..queue.MaxMessageLength];
            ReadOne(queue, way, copy, message =>
            {
                log.Note(message, queue.MaxMessageLength);
                RingWork.Pause(random);
            });
            copy.Clear();
        }
    }

    internal static void WriteOne(SharedQueue queue, long generation, long index, Random? pauses)
    {
        byte[] message = QueueLog.Message(generation, index, queue.MaxMessageLength);
        if (index % 2 != 0)
        {
            Require(index % 4 == 1 && queue.TryWrite(message) ? true : queue.Write(message, s_long), "room for a message");
            return;
        }

        SharedRoom room = default;
        int most = index % 4 == 0 ? message.Length : queue.MaxMessageLength;
        Require(
            (index % 4 == 0 && queue.TryBeginWrite(most, out room)) || queue.BeginWrite(most, out room, s_long),
            "room for a message in place");
        message.CopyTo(room.Span);
        RingWork.Pause(pauses);
        room.Commit(message.Length);
    }

    private static void ReadOne(SharedQueue queue, int way, Span<byte> copy, Action<ReadOnlySpan<byte>> take)
    {
        if (way % 2 == 0)
        {
            SharedMessage message = default;
            while (!(way % 4 == 0 && queue.TryBeginRead(out message)) && !queue.BeginRead(out message, s_long))
            {
            }

            take(message.Span);
            message.Pass();
            return;
        }

        int length = 0;
        while (!(way % 4 == 1 && queue.TryRead(copy, out length)) && !queue.Read(copy, out length, s_long))
        {
        }

        take(copy[..length]);
    }

    private static void Require(bool isSo, string what)
    {
        if (!isSo)
        {
            throw new TimeoutException($"There was no {what} for {s_long}.");
        }
    }
}
