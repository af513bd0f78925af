using System.Threading.Channels;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>What one thread has of a way by which every message comes to each reader. Every message is written and read whole.</summary>
internal abstract class TopicEnd : IDisposable
{
    /// <summary>Sends the message of a number to all readers; waits for room.</summary>
    public abstract void Send(int length, long number);

    /// <summary>Receives a message; waits for one. Returns its number.</summary>
    /// <exception cref="InvalidDataException">The message is torn.</exception>
    public abstract long Receive(int length);

    public abstract void Dispose();

    /// <summary>The writer's end, and then one for each reader.</summary>
    /// <param name="name">One of <see cref="MessageNames"/>.</param>
    /// <param name="readers">The readers.</param>
    /// <param name="messages">The messages that may be on the way.</param>
    /// <param name="length">The bytes of each.</param>
    public static TopicEnd[] Create(string name, int readers, int messages, int length)
    {
        switch (name)
        {
            case MessageNames.Topic or MessageNames.TopicInPlace:
                return CreateTopic(readers, messages, length, isInPlace: name == MessageNames.TopicInPlace);
            case MessageNames.Ring:
                SharedRing[] rings =
                    [.. Enumerable.Range(0, readers).Select(_ => SharedRing.Create(UniqueName(), messages * (length + sizeof(long))))];
                return [new TopicRingsEnd(rings, length), .. rings.Select(ring => new TopicRingsEnd([ring], length))];
            case MessageNames.Channel:
                Channel<byte[]>[] channels = [.. Enumerable.Range(0, readers).Select(_ => Channel.CreateBounded<byte[]>(messages))];
                return [new TopicChannelsEnd(channels), .. channels.Select(static channel => new TopicChannelsEnd([channel]))];
            default:
                throw new InvalidDataException($"There is no topic named {name}.");
        }
    }

    private static TopicEnd[] CreateTopic(int readers, int messages, int length, bool isInPlace)
    {
        string name = UniqueName();
        SharedTopic topic = SharedTopic.Create(name, messages, length);
        return
        [
            Of(topic, null),
            .. Enumerable.Range(0, readers).Select(_ => SharedTopic.Open(name)).Select(
                reading => Of(reading, reading.OpenReader(holdsWriter: true))),
        ];

        TopicEnd Of(SharedTopic topic, SharedTopicReader? reader) =>
            isInPlace ? new TopicInPlaceEnd(topic, reader) : new TopicCopyEnd(topic, reader, length);
    }

    private static string UniqueName() => $"tarn-lab-{Guid.NewGuid():N}";
}
