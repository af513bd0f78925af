namespace Tarn.Lab.Contenders;

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
