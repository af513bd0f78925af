namespace Tarn.Lab.Contenders.Messages;

/// <summary>What one thread has of a queue with many writers and readers. Every message is written and read whole.</summary>
internal abstract class QueueEnd : IDisposable
{
    /// <summary>Sends the message of a number; waits for room.</summary>
    public abstract void Send(int length, long number);

    /// <summary>Receives a message; waits for one. Returns its number.</summary>
    /// <exception cref="InvalidDataException">The message is torn.</exception>
    public abstract long Receive(int length);

    public abstract void Dispose();

    /// <param name="name">One of <see cref="MessageNames"/>.</param>
    /// <param name="count">The threads.</param>
    /// <param name="messages">The messages that the queue holds.</param>
    /// <param name="length">The bytes of each.</param>
    public static QueueEnd[] Create(string name, int count, int messages, int length)
    {
        string unique = $"tarn-lab-{Guid.NewGuid():N}";
        switch (name)
        {
            case MessageNames.Queue or MessageNames.QueueInPlace:
                using (SharedQueue.Create(unique, messages, length, new SharedRegionOptions { DeleteOnDispose = false }))
                {
                    QueueEnd[] ends =
                    [
                        .. Enumerable.Range(0, count).Select(_ => SharedQueue.Open(unique)).Select(
                            queue => name == MessageNames.Queue ? (QueueEnd)new QueueCopyEnd(queue, length) : new QueueInPlaceEnd(queue)),
                    ];
                    SharedRegion.Delete(unique);
                    return ends;
                }

            case MessageNames.Ring:
                var ring = SharedRing.Create(unique, messages * (length + sizeof(long)));
                return [.. Enumerable.Range(0, count).Select(_ => new QueueRingEnd(ring, length))];
            case MessageNames.Channel:
                var channel = System.Threading.Channels.Channel.CreateBounded<byte[]>(messages);
                return [.. Enumerable.Range(0, count).Select(_ => new QueueChannelEnd(channel))];
            default:
                throw new InvalidDataException($"There is no queue named {name}.");
        }
    }
}
