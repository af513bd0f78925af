using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Advice;

/// <summary>What to change in a program, each with its evidence.</summary>
internal static class Adviser
{
    /// <summary>Fewer rents say little about a pool.</summary>
    private const int FewestRents = 1_000;

    private const int MostPools = 4;

    /// <summary>
    /// Another pool is worth it if it allocates for fewer than half of the rents, and this one for more than one in a hundred.
    /// </summary>
    private const double SmallestMissShare = 0.01;
    private const double LargestRemainder = 0.5;

    private const int DefaultLongest = 1 << 20;
    private const int DefaultBuffers = 50;

    /// <summary>Replays the pools that rented most.</summary>
    /// <param name="trace">The recording.</param>
    /// <param name="findings">What it shows.</param>
    /// <param name="processors">The processors of the machine on which it was recorded.</param>
    public static IReadOnlyList<PoolComparison> Compare(BufferTrace trace, Findings findings, int processors) =>
    [
        .. findings.Pools.Where(use => use.Rented >= FewestRents && !use.IsOfStreams).Take(MostPools)
            .Select(use => Compare(trace, use, findings.Details.Pools.Index().First(pool => pool.Item == use.Pool).Index, processors)),
    ];

    /// <summary>The advice, the most important first.</summary>
    public static IEnumerable<string> Advise(Findings findings, IReadOnlyList<PoolComparison> comparisons) =>
    [
        .. findings.ReturnedTwice.Where(site => site.Certainty == Certainty.Likely).Select(site =>
            $"Return a buffer once: {site.Site.Name} returns what {site.First.Name} has returned "
            + $"({Words.Count(site.Times, "time", "times")}). Two owners may write to one buffer."),
        .. findings.Lost.Where(site => site.Certainty == Certainty.Likely).Select(site =>
            $"Return what {site.Site.Name} rents: {Words.Buffers(site.Buffers)} did not come back "
            + $"({Words.Bytes(site.Bytes)}), and for each the pool has to allocate another."),
        .. comparisons.Select(Advise).OfType<string>(),
        .. findings.Allocated.Where(site => site.TooLong > 0).Take(1).Select(site =>
            $"Ask for less, or take a pool for longer buffers: {Words.Count(findings.Allocated.Sum(one => one.TooLong), "rent", "rents")} "
            + $"asked for more than the pool keeps, most of them at {site.Site.Name}."),
    ];

    private static PoolComparison Compare(BufferTrace trace, PoolUse use, int pool, int processors)
    {
        (int longest, int atOnce) = FindNeed(trace, pool);
        var recorded = new ReplayResult("as recorded", use.Rented, use.Allocated, use.Dropped, null);
        IPoolModel[] models =
        [
            new SharedPoolModel(processors), new CreatedPoolModel(DefaultLongest, DefaultBuffers), new CreatedPoolModel(longest, atOnce),
        ];
        return new PoolComparison(
            use,
            recorded,
            [
                .. models.DistinctBy(model => model.Name).Select(model => ModelReplay.Run(trace, pool, model)),
                BufferPoolReplay.Run(trace, pool, new BufferPoolOptions { Name = "replay" }, "BufferPool"),
            ]);
    }

    private static string? Advise(PoolComparison comparison)
    {
        ReplayResult best = comparison.Others.MinBy(other => other.MissShare)!;
        double now = comparison.Recorded.MissShare;
        return now < SmallestMissShare || best.MissShare > now * LargestRemainder
            ? null
            : $"Take {best.Name} for what {comparison.Pool.Name} serves: it would have allocated for {best.MissShare:P1} of "
                + $"{best.Rented:N0} rents instead of {now:P1}.";
    }

    /// <summary>The longest buffer of a pool, and the most of one length that were out at once.</summary>
    private static (int Longest, int AtOnce) FindNeed(BufferTrace trace, int pool)
    {
        var isOut = new Dictionary<int, int>();
        int longest = 1;
        int most = 1;
        foreach (BufferEvent one in trace.Events)
        {
            if (one.Pool == pool)
            {
                int now = isOut.GetValueOrDefault(one.Length) + (one.IsRent ? 1 : -1);
                isOut[one.Length] = now;
                most = Math.Max(most, now);
                longest = Math.Max(longest, one.Length);
            }
        }

        return (longest, most);
    }
}
