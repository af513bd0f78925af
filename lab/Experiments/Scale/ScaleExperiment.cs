extern alias Counted;

using Counted::Tarn.Lab.Counted;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Contenders.Counted;
using Tarn.Lab.Model;
using Tarn.Lab.Replay;
using CountedHeap = Counted::Tarn.Native.NativeHeap;
using CountedPool = Counted::Tarn.BufferPool<byte>;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>
/// How often a call meets other threads: counted, not timed, so that the counts tell something about machines with more processors.
/// </summary>
internal sealed class ScaleExperiment : IExperiment
{
    private static readonly int[] s_threads = [2, 8, 64];

    public string Id => "scale";

    public string Title => "How often a call meets other threads";

    public double QuickSeconds => 12;

    public double FullSeconds => 25;

    public ExperimentResult Run(ExperimentContext context)
    {
        int seed = context.CreateRandom().Next();
        ICountedLoad[] loads = [.. LoadsOf(seed, context.IsFull)];
        List<ScaleCount> counts = [];
        for (int load = 0; load < loads.Length; load++)
        {
            foreach (int threads in s_threads)
            {
                counts.AddRange(Measure(loads[load], threads));
            }

            context.Report((load + 1.0) / loads.Length);
        }

        return CreateResult(loads, counts);
    }

    internal ExperimentResult CreateResult(IReadOnlyList<ICountedLoad> loads, IReadOnlyList<ScaleCount> counts) =>
        new(ScaleSection.Create(Id, Title, loads, counts))
        {
            Figures =
            [
                .. loads.OfType<TraceLoad>().SelectMany(
                    load => (string[])[ScaleNames.Arrays, ScaleNames.Blocks],
                    (load, contender) => counts.Last(count => count.Load == load.Name && count.Contender == contender))
                    .Select(count => new Figure
                    {
                        Id = $"{Id}-{(count.Contender == ScaleNames.Arrays ? "arrays" : "blocks")}-{count.Load}",
                        Title = $"The busiest lock of {count.Contender}, share of the calls of {count.Load} on {count.Threads} threads",
                        Value = count.BusiestLock!.Value / 1e6,
                        Unit = "",
                    }),
            ],
        };

    /// <summary>The recorded programs, then two loads that hand over more than these.</summary>
    private static IEnumerable<ICountedLoad> LoadsOf(int seed, bool isFull)
    {
        long calls = isFull ? 1_000_000 : 200_000;
        TimeSpan time = TimeSpan.FromMilliseconds(isFull ? 500 : 100);
        foreach (string name in TraceLibrary.Names)
        {
            yield return new TraceLoad(name, TraceLibrary.Read(name), seed, calls);
        }

        yield return new PlacesLoad("one in eight handed over", sharedOneIn: 8, seed, time);
        yield return new PlacesLoad("all handed over", sharedOneIn: 1, seed, time);
    }

    /// <summary>Runs a load on each contender.</summary>
    internal static IEnumerable<ScaleCount> Measure(ICountedLoad load, int threads)
    {
        yield return Count(load, ScaleNames.Arrays, new CountedArrays(CountedPool.Create()), threads);
        using (var heap = new CountedHeap())
        {
            yield return Count(load, ScaleNames.Blocks, new CountedBlocks(heap), threads);
        }

        long before = 0;
        (int actual, long calls) = load.Run(default(SharedModel), threads, () => before = SharedModel.Locks);
        yield return new ScaleCount(
            load.Name, ScaleNames.Shared, actual, calls, SharedModel.Locks - before, new Dictionary<string, Count>());
    }

    private static ScaleCount Count<TPool>(ICountedLoad load, string contender, TPool pool, int threads)
        where TPool : struct, IBytePool
    {
        // A pool that was counted before retires when it is collected, which must not count here.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        (int actual, long calls) = load.Run(pool, threads, Counts.Restart);
        IReadOnlyDictionary<string, Count> places = Counts.Read();
        return new ScaleCount(load.Name, contender, actual, calls, places.Values.Sum(count => count.Locks), places);
    }
}
