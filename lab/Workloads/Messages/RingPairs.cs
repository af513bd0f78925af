using Tarn.Lab.Measurement;
using Tarn.SharedMemory;

namespace Tarn.Lab.Workloads.Messages;

/// <summary>A message into a ring and out of it again, on one thread: a copy in, a copy out.</summary>
internal readonly struct RingPair(SharedRing ring, byte[] message) : IWork
{
    private readonly byte[] _received = new byte[message.Length];

    public void Once()
    {
        ring.Write(message);
        ring.Read(_received);
    }
}

/// <summary>The same with the message created and read in the ring: one of its bytes is written and one is read.</summary>
internal readonly struct RingPairInPlace(SharedRing ring, int length) : IWork
{
    public void Once()
    {
        using (SharedRoom room = ring.BeginWrite(length))
        {
            room.Span[0] = 1;
            room.Commit(length);
        }

        using SharedMessage message = ring.BeginRead();
        if (message.Span[0] != 1)
        {
            throw new InvalidDataException("A different message arrived.");
        }

        message.Pass();
    }
}
