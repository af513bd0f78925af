using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Calls;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>Buffers of log-uniform lengths in places, of which some are shared by all threads.</summary>
internal sealed class PlacesLoad(string name, int sharedOneIn, int seed, TimeSpan time) : ICountedLoad
{
    public string Name => name;

    public double HandedOver => 1.0 / sharedOneIn;

    public (int Threads, long Calls) Run<TPool>(TPool pool, int threads, Action warm)
        where TPool : struct, IBytePool
    {
        var random = new Random(seed);
        var calls = new ArrayCalls<TPool>(
            "", pool, [.. Enumerable.Range(0, threads).Select(_ => new CallProgram(random, sharedOneIn))]);
        using var crew = new Crew(threads, isPinned: false);
        _ = calls.Run(crew, time);
        warm();
        return (threads, calls.Run(crew, time).Sum(times => times.All().Count));
    }
}
