using System.Runtime.CompilerServices;
using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The program has the message in memory of its own, and the topic copies it.</summary>
internal readonly struct TopicCopySender(SharedTopic topic) : IMessageSender
{
    private readonly byte[] _message = new byte[topic.MaxMessageLength];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        Span<byte> message = _message.AsSpan(0, length);
        contents.Write(message);
        topic.Write(message);
    }
}

/// <summary>The topic copies the message to memory of the program. The reader holds the writer back.</summary>
internal readonly struct TopicCopyReceiver(SharedTopicReader reader) : IMessageReceiver
{
    private readonly byte[] _message = new byte[reader.Topic.MaxMessageLength];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        check.Take(_message.AsSpan(0, reader.Read(_message)));
    }
}

/// <summary>The program writes the message in the topic.</summary>
internal readonly struct TopicInPlaceSender(SharedTopic topic) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        using SharedRoom room = topic.BeginWrite(length);
        contents.Write(room.Span);
        room.Commit(length);
    }
}

/// <summary>The program reads the message in the topic. The reader holds the writer back.</summary>
internal readonly struct TopicInPlaceReceiver(SharedTopicReader reader) : IMessageReceiver, IAwaitedReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        Pass(reader.BeginRead(), ref check);
    }

    public bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        bool isFound = reader.TryBeginRead(out SharedMessage message);
        if (isFound)
        {
            Pass(message, ref check);
        }

        return isFound;
    }

    public ValueTask WaitAsync() => reader.WaitToReadAsync();

    private static void Pass<TCheck>(SharedMessage message, ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        using (message)
        {
            check.Take(message.Span);
            if (!message.Pass())
            {
                throw new InvalidDataException("A message was overwritten whose reader holds the writer back.");
            }
        }
    }
}
