using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

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
