namespace Tarn.Lab.Contenders.Messages;

/// <summary>The ring copies the message to memory of the program.</summary>
internal readonly struct RingCopyReceiver(SharedRing ring) : IMessageReceiver
{
    private readonly byte[] _message = new byte[MessageContents.LongestMessage];

    public ReadOnlySpan<byte> Begin() => _message.AsSpan(0, ring.Read(_message));

    public void End()
    {
    }
}

/// <summary>The program has the message in memory of its own, and the ring copies it.</summary>
internal struct RingCopySender(SharedRing ring) : IMessageSender
{
    private readonly byte[] _message = new byte[MessageContents.LongestMessage];
    private int _length;

    public Span<byte> Begin(int length)
    {
        _length = length;
        return _message.AsSpan(0, length);
    }

    public readonly void End() => ring.Write(_message.AsSpan(0, _length));
}

/// <summary>The program reads the message in the ring.</summary>
internal readonly struct RingInPlaceReceiver(SharedRing ring) : IMessageReceiver
{
    public ReadOnlySpan<byte> Begin() => ring.BeginRead();

    public void End() => ring.EndRead();
}

/// <summary>The program writes the message in the ring.</summary>
internal struct RingInPlaceSender(SharedRing ring) : IMessageSender
{
    private int _length;

    public Span<byte> Begin(int length)
    {
        _length = length;
        return ring.BeginWrite(length);
    }

    public readonly void End() => ring.EndWrite(_length);
}
