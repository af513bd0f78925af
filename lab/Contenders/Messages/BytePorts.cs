using System.IO.Pipes;
using System.Net.Sockets;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>One side of an anonymous pipe; there is a pipe for each direction.</summary>
internal readonly struct PipePort(PipeStream pipe) : IBytePort
{
    public void Write(ReadOnlySpan<byte> bytes) => pipe.Write(bytes);

    public int Read(Span<byte> buffer) => pipe.Read(buffer);
}

/// <summary>One side of a blocking socket: each call is only a call to the system.</summary>
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
