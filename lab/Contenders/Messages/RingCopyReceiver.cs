namespace Tarn.Lab.Contenders;

/// <summary>The ring copies the message to memory of the program.</summary>
internal readonly struct RingCopyReceiver(SharedRing ring) : IMessageReceiver
{
    private readonly byte[] _message = new byte[MessageContents.LongestMessage];

    public ReadOnlySpan<byte> Begin() => _message.AsSpan(0, ring.Read(_message));

    public void End()
    {
    }
}
