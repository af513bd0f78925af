using System.IO.Pipes;

namespace Tarn.Lab.Contenders;

/// <summary>One side of an anonymous pipe; there is a pipe for each direction.</summary>
internal readonly struct PipePort(PipeStream pipe) : IBytePort
{
    public void Write(ReadOnlySpan<byte> bytes) => pipe.Write(bytes);

    public int Read(Span<byte> buffer) => pipe.Read(buffer);
}
