using System.Threading.Channels;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The program has the message in memory of its own, and the queue copies it.</summary>
internal sealed class QueueCopyEnd(SharedQueue queue, int length) : QueueEnd
{
    private readonly byte[] _message = new byte[length];

    public override void Send(int length, long number)
    {
        MessageContents.Write(_message, number);
        queue.TryWrite(_message, Timeout.InfiniteTimeSpan);
    }

    public override long Receive(int length)
    {
        queue.TryRead(_message, out int read, Timeout.InfiniteTimeSpan);
        return MessageContents.VerifyAny(_message.AsSpan(0, read), length);
    }

    public override void Dispose() => queue.Dispose();
}

/// <summary>The program writes and reads the message in the queue.</summary>
internal sealed class QueueInPlaceEnd(SharedQueue queue) : QueueEnd
{
    public override void Send(int length, long number)
    {
        queue.TryBeginWrite(out SharedQueueRoom room, Timeout.InfiniteTimeSpan);
        using (room)
        {
            MessageContents.Write(room.Span[..length], number);
            room.End(length);
        }
    }

    public override long Receive(int length)
    {
        queue.TryBeginRead(out SharedQueueMessage message, Timeout.InfiniteTimeSpan);
        using (message)
        {
            long number = MessageContents.VerifyAny(message.Span, length);
            message.End();
            return number;
        }
    }

    public override void Dispose() => queue.Dispose();
}

/// <summary>A ring, for one writer and one reader, and copies like the queue.</summary>
internal sealed class QueueRingEnd(SharedRing ring, int length) : QueueEnd
{
    private readonly byte[] _message = new byte[length];

    public override void Send(int length, long number)
    {
        MessageContents.Write(_message, number);
        ring.Write(_message);
    }

    public override long Receive(int length) => MessageContents.VerifyAny(_message.AsSpan(0, ring.Read(_message)), length);

    public override void Dispose() => ring.Dispose();
}

/// <summary>A channel of one process, to which each message is an array of its own.</summary>
internal sealed class QueueChannelEnd(Channel<byte[]> channel) : QueueEnd
{
    public override void Send(int length, long number)
    {
        byte[] message = GC.AllocateUninitializedArray<byte>(length);
        MessageContents.Write(message, number);
        while (!channel.Writer.TryWrite(message))
        {
            channel.Writer.WaitToWriteAsync().AsTask().GetAwaiter().GetResult();
        }
    }

    public override long Receive(int length)
    {
        byte[]? message;
        while (!channel.Reader.TryRead(out message))
        {
            channel.Reader.WaitToReadAsync().AsTask().GetAwaiter().GetResult();
        }

        return MessageContents.VerifyAny(message, length);
    }

    public override void Dispose()
    {
    }
}
