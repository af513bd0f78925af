using System.Runtime.CompilerServices;
using Tarn.SharedMemory;

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
        queue.Write(message);
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
        check.Take(_message.AsSpan(0, queue.Read(_message)));
    }
}

/// <summary>The program writes the message in the queue.</summary>
internal readonly struct QueueInPlaceSender(SharedQueue queue) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        using SharedRoom room = queue.BeginWrite(length);
        contents.Write(room.Span);
        room.Commit(length);
    }
}

/// <summary>The program reads the message in the queue.</summary>
internal readonly struct QueueInPlaceReceiver(SharedQueue queue) : IMessageReceiver, IAwaitedReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        using SharedMessage message = queue.BeginRead();
        check.Take(message.Span);
        message.Pass();
    }

    public bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        bool isFound = queue.TryBeginRead(out SharedMessage message);
        if (isFound)
        {
            using (message)
            {
                check.Take(message.Span);
                message.Pass();
            }
        }

        return isFound;
    }

    public ValueTask WaitAsync() => queue.WaitToReadAsync();
}
