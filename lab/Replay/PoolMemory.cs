using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Replay;

/// <summary>What a pool made of a program's memory, once it was warm.</summary>
/// <param name="Allocated">Bytes newly allocated, as a share of the bytes rented.</param>
/// <param name="RetainedBytes">What the pool keeps when everything has been returned, the most after any pass.</param>
/// <param name="PeakInUseBytes">The most in use at once; what is counted is the length of the buffers given.</param>
/// <param name="Slack">What was given and not requested, as a share of what was given.</param>
internal sealed record PoolMemory(double Allocated, long RetainedBytes, long PeakInUseBytes, double Slack)
{
    private const int PassesToWarm = 3;

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
