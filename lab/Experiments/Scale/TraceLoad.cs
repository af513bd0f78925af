using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Replay;
using Tarn.Traces;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>A recorded program: on fewer threads than recorded, some of them merged; on more, several copies that share the pool.</summary>
internal sealed class TraceLoad(string name, BufferTrace trace, int seed, long calls) : ICountedLoad
{
    private const int PassesToWarm = 2;

    public string Name => name;

    public double HandedOver { get; private set; } = double.NaN;

    public (int Threads, long Calls) Run<TPool>(TPool pool, int threads, Action warm)
        where TPool : struct, IBytePool
    {
        var program = new ReplayProgram(trace, seed, Math.Min(threads, ReplayProgram.MostThreads));
        HandedOver = (double)program.CommonPlaces / program.Rents;
        using var crowd = new ReplayCrowd<TPool>(program, Math.Max(1, threads / program.Threads), pool);
        crowd.Run(PassesToWarm);
        warm();
        int passes = (int)Math.Max(1, calls / crowd.CallsPerPass);
        crowd.Run(passes);
        return (crowd.Threads, passes * crowd.CallsPerPass);
    }
}
