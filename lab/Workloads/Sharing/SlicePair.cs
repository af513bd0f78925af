using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Sharing;

/// <summary>Takes a slice of a counted buffer and disposes it: a retain and a release.</summary>
internal readonly struct SlicePair(CountedBuffer<byte> buffer) : IWork
{
    public void Once() => buffer.Slice(16, 64).Dispose();
}
