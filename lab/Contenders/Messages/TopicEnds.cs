using System.Threading.Channels;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The program has the message in memory of its own, and the topic copies it. Readers hold the writer back.</summary>
internal sealed class TopicCopyEnd(SharedTopic topic, SharedTopicReader? reader, int length) : TopicEnd
{
    private readonly byte[] _message = new byte[length];

    public override void Send(int length, long number)
    {
        MessageContents.Write(_message, number);
        topic.TryWrite(_message, Timeout.InfiniteTimeSpan);
    }

    public override long Receive(int length)
    {
        reader!.TryRead(_message, out int read, Timeout.InfiniteTimeSpan);
        return MessageContents.VerifyAny(_message.AsSpan(0, read), length);
    }

    public override void Dispose() => topic.Dispose();
}

/// <summary>The program writes and reads the message in the topic.</summary>
internal sealed class TopicInPlaceEnd(SharedTopic topic, SharedTopicReader? reader) : TopicEnd
{
    public override void Send(int length, long number)
    {
        topic.TryBeginWrite(out SharedTopicRoom room, Timeout.InfiniteTimeSpan);
        using (room)
        {
            MessageContents.Write(room.Span[..length], number);
            room.End(length);
        }
    }

    public override long Receive(int length)
    {
        reader!.TryBeginRead(out SharedTopicMessage message, Timeout.InfiniteTimeSpan);
        using (message)
        {
            long number = MessageContents.VerifyAny(message.Span, length);
            return message.End() ? number : throw new InvalidDataException("A message was overwritten whose reader holds the writer back.");
        }
    }

    public override void Dispose() => topic.Dispose();
}

/// <summary>A ring for each reader, into each of which the writer copies the message.</summary>
internal sealed class TopicRingsEnd(SharedRing[] rings, int length) : TopicEnd
{
    private readonly byte[] _message = new byte[length];

    public override void Send(int length, long number)
    {
        MessageContents.Write(_message, number);
        foreach (SharedRing ring in rings)
        {
            ring.Write(_message);
        }
    }

    public override long Receive(int length) => MessageContents.VerifyAny(_message.AsSpan(0, rings[0].Read(_message)), length);

    public override void Dispose() => Array.ForEach(rings, static ring => ring.Dispose());
}

/// <summary>A channel of one process for each reader, to all of which the same array is passed.</summary>
internal sealed class TopicChannelsEnd(Channel<byte[]>[] channels) : TopicEnd
{
    public override void Send(int length, long number)
    {
        byte[] message = GC.AllocateUninitializedArray<byte>(length);
        MessageContents.Write(message, number);
        foreach (Channel<byte[]> channel in channels)
        {
            while (!channel.Writer.TryWrite(message))
            {
                channel.Writer.WaitToWriteAsync().AsTask().GetAwaiter().GetResult();
            }
        }
    }

    public override long Receive(int length)
    {
        byte[]? message;
        while (!channels[0].Reader.TryRead(out message))
        {
            channels[0].Reader.WaitToReadAsync().AsTask().GetAwaiter().GetResult();
        }

        return MessageContents.VerifyAny(message, length);
    }

    public override void Dispose()
    {
    }
}
