using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The program has the message in memory of its own, and the queue copies it.</summary>
internal readonly struct QueueCopySender(SharedQueue queue) : IMessageSender
{
    private readonly byte[] _message = new byte[queue.MaxMessageLength];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        Span<byte> message = _message.AsSpan(0, length);
        contents.Write(message);
        queue.TryWrite(message, Timeout.InfiniteTimeSpan);
    }
}

/// <summary>The queue copies the message to memory of the program.</summary>
internal readonly struct QueueCopyReceiver(SharedQueue queue) : IMessageReceiver
{
    private readonly byte[] _message = new byte[queue.MaxMessageLength];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        queue.TryRead(_message, out int read, Timeout.InfiniteTimeSpan);
        check.Take(_message.AsSpan(0, read));
    }
}

/// <summary>The program writes the message in the queue.</summary>
internal readonly struct QueueInPlaceSender(SharedQueue queue) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        queue.TryBeginWrite(out SharedQueueRoom room, Timeout.InfiniteTimeSpan);
        using (room)
        {
            contents.Write(room.Span[..length]);
            room.End(length);
        }
    }
}

/// <summary>The program reads the message in the queue.</summary>
internal readonly struct QueueInPlaceReceiver(SharedQueue queue) : IMessageReceiver, IAwaitedReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        queue.TryBeginRead(out SharedQueueMessage message, Timeout.InfiniteTimeSpan);
        Pass(message, ref check);
    }

    public bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        bool isFound = queue.TryBeginRead(out SharedQueueMessage message);
        if (isFound)
        {
            Pass(message, ref check);
        }

        return isFound;
    }

    public ValueTask<bool> WaitAsync() => queue.WaitToReadAsync();

    private static void Pass<TCheck>(SharedQueueMessage message, ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        using (message)
        {
            check.Take(message.Span);
            message.End();
        }
    }
}
