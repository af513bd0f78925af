using System.IO.Pipes;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Messages;

/// <summary>A message into an anonymous pipe and out of it again, on one thread: two calls to the system.</summary>
internal readonly struct PipePair(AnonymousPipeServerStream writer, AnonymousPipeClientStream reader, byte[] message) : IWork
{
    private readonly byte[] _received = new byte[message.Length];

    public void Once()
    {
        writer.Write(message, 0, message.Length);
        reader.ReadExactly(_received);
    }
}
