using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Replay;

/// <summary>A warm pool's use of memory under a program.</summary>
/// <param name="Allocated">Bytes newly allocated, as a share of the bytes rented.</param>
/// <param name="RetainedBytes">The bytes that the pool keeps after everything was returned: the most after any pass.</param>
/// <param name="PeakInUseBytes">The most bytes in use at once, by the length of the buffers given.</param>
/// <param name="Slack">The bytes given but not requested, as a share of the bytes given.</param>
internal sealed record PoolMemory(double Allocated, long RetainedBytes, long PeakInUseBytes, double Slack)
{
    private const int PassesToWarm = 3;

    /// <summary>The bytes that the pool keeps, of those allowed: three times the peak in use, and 1 MiB for the threads' caches.</summary>
    public double RetainedOfAllowed => RetainedBytes / ((3.0 * PeakInUseBytes) + (1 << 20));

    public double RetainedOfPeak => RetainedBytes / (double)Math.Max(1, PeakInUseBytes);

    /// <summary>Replays the program against a pool under a census; nothing is timed.</summary>
    public static PoolMemory Measure<TPool>(ReplayProgram program, Crew crew, TPool pool, int passes)
        where TPool : struct, IBytePool
    {
        var census = new PoolCensus();
        var replayer = new Replayer<CountedPool<TPool>>("", program, crew, new(pool, census));
        _ = replayer.Run(PassesToWarm);
        census.Restart();
        long retained = 0;
        for (int pass = 0; pass < passes; pass++)
        {
            _ = replayer.Run(1);
            replayer.Forget();
            retained = Math.Max(retained, census.CountLivingBytes());
        }

        return new PoolMemory(
            census.AllocatedBytes / (double)Math.Max(1, census.RentedBytes),
            retained,
            census.PeakInUseBytes,
            (census.RentedBytes - census.RequestedBytes) / (double)Math.Max(1, census.RentedBytes));
    }
}
