using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>
/// A message put together in a stream, in pieces of 4 KiB, and copied from there to a receiver. It is complete when everything has arrived.
/// </summary>
internal readonly struct Sending<TMaker>(TMaker maker, byte[] message, Receiver receiver) : IWork
    where TMaker : struct, IStreamMaker
{
    private const int Piece = 4 << 10;

    public void Once()
    {
        using Stream stream = maker.Create(message.Length);
        for (int done = 0; done < message.Length; done += Piece)
        {
            stream.Write(message, done, Math.Min(Piece, message.Length - done));
        }

        stream.Position = 0;
        stream.CopyTo(receiver.Sink);
        receiver.WaitForMessage();
    }
}
