namespace Tarn.Lab.Contenders;

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
