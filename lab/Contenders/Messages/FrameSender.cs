using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// Messages over a stream of bytes: four bytes of length, then the message. The program writes to the sent buffer, after the length, so a
/// message takes one call and only the system's copy.
/// </summary>
/// <param name="port">Where the bytes go.</param>
/// <param name="longest">Bytes of the longest message.</param>
internal readonly struct FrameSender<TPort>(TPort port, int longest) : IMessageSender
    where TPort : struct, IBytePort
{
    public const int LengthSize = sizeof(int);

    /// <summary>The message is aligned, not its length.</summary>
    private const int MessageStart = 64;

    private readonly byte[] _buffer = new byte[MessageStart + longest];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        contents.Write(_buffer.AsSpan(MessageStart, length));
        Span<byte> frame = _buffer.AsSpan(MessageStart - LengthSize, LengthSize + length);
        MemoryMarshal.Write(frame, length);
        port.Write(frame);
    }
}
