using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>
/// Streams of mixed sizes, each written with one call and disposed, as responses are; notes the most that a pool had in use.
/// </summary>
internal struct WrittenStreams<TMaker>(TMaker maker, BufferPool<byte> pool, byte[] source, long[] peak) : IWork
    where TMaker : struct, IStreamMaker
{
    private const int Largest = 1_000_000;
    private const int Lengths = 1 << 10;
    private const int PeakEvery = 16;

    private static readonly int[] s_lengths = SizeDistribution.Uniform("1mb", "", Largest).Take(Lengths, new Random(1));

    private int _next;

    /// <summary>Creates a source of the required length.</summary>
    public static byte[] CreateSource() => new byte[Largest];

    public void Once()
    {
        int length = s_lengths[_next++ % Lengths];
        using Stream stream = maker.Create(length);
        stream.Write(source, 0, length);
        if (_next % PeakEvery == 0)
        {
            peak[0] = Math.Max(peak[0], pool.GetStatistics().InUseBytes);
        }
    }
}
