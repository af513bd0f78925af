using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Against;

/// <summary>Calls on one thread: one buffer, a lease, eight buffers, random lengths.</summary>
internal static class AgainstCalls
{
    private static readonly int[] s_sizes = [100, 1 << 10, 16 << 10, 128 << 10, 1 << 20];

    public static IEnumerable<AgainstRow> Measure(ExperimentContext context)
    {
        IReadOnlyList<PoolContender> pools = Builds.CreatePools();
        Sweep pairs = Sweep.Run(context.Part(1, 4), s_sizes, size => Trials(pools, new Pairs(size)));
        Sweep leases = Sweep.Run(context.Part(2, 4), s_sizes, Builds.CreateLeases);
        Sweep deep = Sweep.Run(context.Part(3, 4), s_sizes, size => Trials(pools, new Deep(size)));
        foreach (AgainstRow row in Rows("single", "Rent and return", pairs)
            .Concat(Rows("lease", "Lease", leases)).Concat(Rows("deep", "Eight deep,", deep)))
        {
            yield return row;
        }

        yield return MeasureRandom(context.Part(4, 4));
    }

    private static AgainstRow MeasureRandom(ExperimentContext context)
    {
        Random random = context.CreateRandom();
        IReadOnlyList<PoolContender> pools = Builds.CreatePools();
        IReadOnlyList<Trial> trials = Trials(pools, new RandomLengths(new RandomProgram(random, RandomReplace<BclShared>.LiveBuffers)));
        WarmUp.Run(trials);
        foreach (Trial trial in trials)
        {
            // The whole program once: afterwards a pool that keeps buffers has every size that it will need.
            trial.Run(RandomProgram.Steps);
        }

        return new AgainstRow("random", "Random sizes", PairedRounds.Measure(trials, context.Rounds, random));
    }

    private static IReadOnlyList<Trial> Trials(IReadOnlyList<PoolContender> pools, IPoolVisitor<Trial> visitor) =>
        [.. pools.Select(pool => pool.Accept(visitor))];

    private static IEnumerable<AgainstRow> Rows(string id, string title, Sweep sweep) =>
        sweep.Points.Zip(sweep.Samples, (size, samples) =>
            new AgainstRow($"{id}-{ByteSize.Id(size)}", $"{title} {ByteSize.Text(size)}", samples));

    private sealed class Pairs(int size) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool => new LoopTrial<SinglePair<TPool>>(contender.Name, new(pool, size));
    }

    private sealed class Deep(int size) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool =>
            new LoopTrial<DeepPairs<TPool>>(contender.Name, new(pool, size), DeepPairs<TPool>.Depth);
    }

    private sealed class RandomLengths(RandomProgram program) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool => new LoopTrial<RandomReplace<TPool>>(contender.Name, new(pool, program));
    }
}
