using System;
using Tarn.SharedMemory;

// Silent: a message is passed or disposed on every path, and not used afterwards.
static class MessagesUsedWell
{
    internal static int FromRing(SharedRing ring)
    {
        using SharedMessage message = ring.BeginRead();
        int first = message.Span[0];
        message.Pass();
        return first;
    }

    internal static int ByAnother(SharedRing ring)
    {
        using SharedMessage message = ring.BeginRead();
        return Take(message);
    }

    internal static int Take(SharedMessage message)
    {
        int first = message.Span[0];
        message.Pass();
        return first;
    }

    internal static void Await(SharedRing ring) => ring.BeginRead().Dispose();

    internal static void IntoRing(SharedRing ring)
    {
        using SharedRoom room = ring.BeginWrite(8);
        room.Span.Fill(1);
        room.Commit(8);
    }

    internal static int All(SharedTopicReader reader)
    {
        int sum = 0;
        while (reader.BeginRead(out SharedMessage message, TimeSpan.FromSeconds(1)))
        {
            int first = message.Span[0];
            sum += message.Pass() ? first : 0;
        }

        return sum;
    }

    internal static void IntoTopic(SharedTopic topic, ReadOnlySpan<byte> contents)
    {
        if (topic.TryBeginWrite(contents.Length, out SharedRoom room))
        {
            using (room)
            {
                contents.CopyTo(room.Span);
                room.Commit(contents.Length);
            }
        }
    }
}

static class MessagesNeverEnded
{
    internal static int Declared(SharedRing ring)
    {
        using SharedMessage message = ring.BeginRead(); // expect TARN015
        return message.Span[0];
    }

    internal static int Block(SharedQueue queue)
    {
        if (!queue.TryBeginRead(out SharedMessage message)) // expect TARN015
        {
            return -1;
        }

        using (message)
        {
            return message.Span[0] + (int)message.Position;
        }
    }

    internal static int Statement(SharedRing ring)
    {
        using (SharedMessage message = ring.BeginRead()) // expect TARN015
        {
            return message.Span[0];
        }
    }

    internal static void Room(SharedTopic topic)
    {
        using SharedRoom room = topic.BeginWrite(8); // expect TARN015
        room.Span.Fill(1);
    }
}

static class MessagesUsedLate
{
    internal static int FromRing(SharedRing ring)
    {
        SharedMessage message = ring.BeginRead();
        ReadOnlySpan<byte> span = message.Span;
        message.Pass();
        return span[0]; // expect TARN002
    }

    internal static void IntoRing(SharedRing ring)
    {
        SharedRoom room = ring.BeginWrite(8);
        Span<byte> span = room.Span;
        room.Commit(8);
        span[0] = 1; // expect TARN002
    }

    internal static void CommittedTwice(SharedTopic topic)
    {
        if (topic.TryBeginWrite(8, out SharedRoom room))
        {
            room.Commit(8);
            room.Commit(8); // expect TARN001
        }
    }

    internal static int Forgotten(SharedRing ring)
    {
        SharedMessage message = ring.BeginRead(); // expect TARN011
        return message.Span[0];
    }

    internal static int ForgottenOfTopic(SharedTopicReader reader)
    {
        if (reader.TryBeginRead(out SharedMessage message)) // expect TARN011
        {
            return message.Span[0];
        }

        return -1;
    }
}
