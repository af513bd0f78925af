using System.Runtime.CompilerServices;
using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The program has the message in memory of its own, and the ring copies it.</summary>
internal readonly struct RingCopySender(SharedRing ring, int longest) : IMessageSender
{
    private readonly byte[] _message = new byte[longest];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        Span<byte> message = _message.AsSpan(0, length);
        contents.Write(message);
        ring.Write(message);
    }
}

/// <summary>The ring copies the message to memory of the program.</summary>
internal readonly struct RingCopyReceiver(SharedRing ring, int longest) : IMessageReceiver
{
    private readonly byte[] _message = new byte[longest];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck => check.Take(_message.AsSpan(0, ring.Read(_message)));
}

/// <summary>The program writes the message in the ring.</summary>
internal readonly struct RingInPlaceSender(SharedRing ring) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        using SharedRoom room = ring.BeginWrite(length);
        contents.Write(room.Span);
        room.Commit(length);
    }
}

/// <summary>The program reads the message in the ring.</summary>
internal readonly struct RingInPlaceReceiver(SharedRing ring) : IMessageReceiver, IAwaitedReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        using SharedMessage message = ring.BeginRead();
        check.Take(message.Span);
        message.Pass();
    }

    public bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        if (!ring.TryBeginRead(out SharedMessage message))
        {
            return false;
        }

        using (message)
        {
            check.Take(message.Span);
            message.Pass();
        }

        return true;
    }

    public ValueTask WaitAsync() => ring.WaitToReadAsync();
}
