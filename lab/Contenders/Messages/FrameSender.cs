using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// Messages over a stream of bytes: four bytes of length, then the message. The program writes to the sent buffer, after the length, so a
/// message takes one call and only the system's copy.
/// </summary>
internal struct FrameSender<TPort>(TPort port) : IMessageSender
    where TPort : struct, IBytePort
{
    public const int LengthSize = sizeof(int);

    /// <summary>The message is aligned, not its length.</summary>
    private const int MessageStart = 64;

    private readonly byte[] _buffer = new byte[MessageStart + MessageContents.LongestMessage];
    private int _length;

    public Span<byte> Begin(int length)
    {
        _length = length;
        return _buffer.AsSpan(MessageStart, length);
    }

    public readonly void End()
    {
        Span<byte> frame = _buffer.AsSpan(MessageStart - LengthSize, LengthSize + _length);
        MemoryMarshal.Write(frame, _length);
        port.Write(frame);
    }
}
