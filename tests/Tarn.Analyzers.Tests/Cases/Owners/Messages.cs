using System;
using Tarn.SharedMemory;

// Silent: a message is passed, disposed or abandoned on every path, and not used afterwards.
static class MessagesUsedWell
{
    internal static int FromRing(SharedRing ring)
    {
        using SharedMessage message = ring.BeginRead();
        return message.Span[0];
    }

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

static class MessagesUsedLate
{
    internal static int FromRing(SharedRing ring)
    {
        SharedMessage message = ring.BeginRead();
        ReadOnlySpan<byte> span = message.Span;
        message.Dispose();
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
