namespace Tarn.Lab.Contenders;

/// <summary>The program looks at the message in the ring.</summary>
internal readonly struct RingInPlaceReceiver(SharedRing ring) : IMessageReceiver
{
    public ReadOnlySpan<byte> Begin() => ring.BeginRead();

    public void End() => ring.EndRead();
}
