using System.Net.Sockets;

namespace Tarn.Lab.Contenders;

/// <summary>One side of a socket that blocks: each call is a call of the system and nothing else.</summary>
internal readonly struct SocketPort(Socket socket) : IBytePort
{
    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[socket.Send(bytes)..];
        }
    }

    public int Read(Span<byte> buffer) => socket.Receive(buffer);
}
