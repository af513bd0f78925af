using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>Makes the owners of messages and values that races dispose, with other sides that verify what became of those.</summary>
internal static class RacedOwners
{
    private const int Room = 16;

    internal static RacedSharing Region(string name, Random random)
    {
        SharedRegion region = SharedRegion.Create(name, 5000);
        return new RacedSharing(name) { Owner = region, Disposals = { region.Dispose } };
    }

    internal static RacedSharing RingWriter(string name, Random random)
    {
        SharedRing ring = SharedRing.Create(name, Room * 16);
        RacedSharing raced = new(name) { Owner = ring, Disposals = { ring.Dispose } };
        SharedRing other = raced.Keep(SharedRing.Open(name));
        raced.Verify = () => VerifyWritten(raced, bytes => other.TryRead(bytes, out _)) ?? VerifyFree(other.WriterProcessId);
        return raced;
    }

    internal static RacedSharing RingReader(string name, Random random)
    {
        SharedRing ring = SharedRing.Create(name, Room * 16);
        RacedSharing raced = new(name) { Owner = ring, Disposals = { ring.Dispose } };
        SharedRing other = raced.Keep(SharedRing.Open(name));
        int messages = Fill(random, message => other.TryWrite(message));
        raced.Verify = () => VerifyFree(other.ReaderProcessId) ?? VerifyLeft(raced, messages, bytes => other.TryRead(bytes, out _));
        return raced;
    }

    internal static RacedSharing QueueWriter(string name, Random random)
    {
        SharedQueue queue = SharedQueue.Create(name, Room, 8);
        RacedSharing raced = new(name) { Owner = queue, Disposals = { queue.Dispose } };
        SharedQueue other = raced.Keep(SharedQueue.Open(name));
        raced.Verify = () => VerifyWritten(raced, bytes => other.TryRead(bytes, out _)) ?? VerifyFree(other.MemberCount - 1);
        return raced;
    }

    internal static RacedSharing QueueReader(string name, Random random)
    {
        SharedQueue queue = SharedQueue.Create(name, Room, 8);
        RacedSharing raced = new(name) { Owner = queue, Disposals = { queue.Dispose } };
        SharedQueue other = raced.Keep(SharedQueue.Open(name));
        int messages = Fill(random, message => other.TryWrite(message));
        raced.Verify = () => VerifyLeft(raced, messages, bytes => other.TryRead(bytes, out _)) ?? VerifyFree(other.MemberCount - 1);
        return raced;
    }

    internal static RacedSharing TopicWriter(string name, Random random)
    {
        SharedTopic topic = SharedTopic.Create(name, Room, 8);
        RacedSharing raced = new(name) { Owner = topic, Disposals = { topic.Dispose } };
        SharedTopic other = raced.Keep(SharedTopic.Open(name));
        SharedTopicReader reader = other.OpenReader(holdsWriter: true);
        raced.Verify = () => VerifyWritten(raced, bytes => reader.TryRead(bytes, out _))
            ?? VerifyFree(other.WriterProcessId + other.HoldingReaderCount - 1);
        return raced;
    }

    /// <summary>A reader of a topic, of which it is the reader that is disposed.</summary>
    internal static RacedSharing TopicReader(string name, Random random) => TopicReader(name, random, isOfTopic: false);

    /// <summary>A reader of a topic, which is disposed with it.</summary>
    internal static RacedSharing TopicOfReader(string name, Random random) => TopicReader(name, random, isOfTopic: true);

    internal static RacedSharing Value(string name, Random random)
    {
        SharedValue<long> value = SharedValue<long>.Create(name);
        RacedSharing raced = new(name) { Owner = value, Disposals = { value.Dispose } };
        SharedValue<long> other = raced.Keep(SharedValue<long>.Open(name));
        raced.Verify = () =>
        {
            bool isThere = other.TryRead(out long last, out long version);
            return isThere && (last != version - 1 || version < raced.Written)
                ? $"Version {version} is {last}."
                : VerifyFree(other.WriterProcessId);
        };
        return raced;
    }

    private static RacedSharing TopicReader(string name, Random random, bool isOfTopic)
    {
        SharedTopic other = SharedTopic.Create(name, Room, 8);
        SharedTopic topic = SharedTopic.Open(name);
        SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        RacedSharing raced = new(name) { Owner = reader, Disposals = { isOfTopic ? topic.Dispose : reader.Dispose } };
        raced.Keep(other);
        raced.Keep(topic);
        Fill(random, message => other.TryWrite(message));
        raced.Verify = () => VerifyFree(other.HoldingReaderCount);
        return raced;
    }

    /// <summary>Writes some messages; returns how many.</summary>
    private static int Fill(Random random, Func<byte[], bool> tryWrite)
    {
        int written = 0;
        for (int i = random.Next(Room); i > 0 && tryWrite(BitConverter.GetBytes((long)written)); i--)
        {
            written++;
        }

        return written;
    }

    /// <summary>Whatever a call wrote that returned is there, and nothing else but the message of the call that did not.</summary>
    private static string? VerifyWritten(RacedSharing raced, Func<byte[], bool> tryRead)
    {
        long written = raced.Written;
        byte[] bytes = new byte[8];
        long there = 0;
        for (; tryRead(bytes); there++)
        {
            if (BitConverter.ToInt64(bytes) != there)
            {
                return $"Message {BitConverter.ToInt64(bytes)} is where {there} belongs.";
            }
        }

        return there - written is 0 or 1 ? null : $"{written} messages were written, and {there} are there.";
    }

    /// <summary>Whatever no call read that returned is there.</summary>
    private static string? VerifyLeft(RacedSharing raced, int messages, Func<byte[], bool> tryRead)
    {
        byte[] bytes = new byte[8];
        HashSet<long> left = [];
        while (tryRead(bytes))
        {
            left.Add(BitConverter.ToInt64(bytes));
        }

        long missing = messages - raced.Read - left.Count;
        return missing == 0 && left.All(number => number >= raced.Read && number < messages)
            ? null
            : $"{raced.Read} of {messages} messages were read, and {left.Count} are left.";
    }

    private static string? VerifyFree(int holder) => holder == 0 ? null : $"A role is still taken ({holder}).";
}
