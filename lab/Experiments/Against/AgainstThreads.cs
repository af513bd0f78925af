using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Against;

/// <summary>Calls on several threads: the same work on each, and buffers handed from one to another.</summary>
internal static class AgainstThreads
{
    private const int Size = 1 << 10;
    private static readonly int[] s_threads = [2, 8, 32];
    private static readonly int[] s_handedOver = [256, 4 << 10, 64 << 10];

    public static IEnumerable<AgainstRow> Measure(ExperimentContext context)
    {
        Crew[] crews = [.. s_threads.Select(static threads => new Crew(threads))];
        IReadOnlyList<PoolContender> pools = Builds.CreatePools();
        Sweep deep = Sweep.Run(context.Part(1, 2), context.CrewRounds, s_threads, threads =>
            [.. pools.Select(pool => pool.Accept(new Deep(crews[Array.IndexOf(s_threads, threads)])))]);
        Array.ForEach(crews, static crew => crew.Dispose());

        using var pair = new Crew(2);
        Sweep handedOver = Sweep.Run(context.Part(2, 2), context.HandoverRounds, s_handedOver, size =>
            [.. pools.Select(pool => pool.Accept(new HandedOver(pair, size)))]);
        return
        [
            .. deep.Points.Zip(deep.Samples, static (threads, samples) =>
                new AgainstRow($"threads-{threads}", $"Eight deep on {threads} threads", samples)),
            .. handedOver.Points.Zip(handedOver.Samples, static (size, samples) =>
                new AgainstRow($"handover-{ByteSize.Id(size)}", $"Handed over, {ByteSize.Text(size)}", samples)),
        ];
    }

    private sealed class Deep(Crew crew) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool =>
            new CrewTrial<DeepPairs<TPool>>(contender.Name, crew, () => new(pool, Size), DeepPairs<TPool>.Depth);
    }

    private sealed class HandedOver(Crew crew, int size) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool => new HandoverTrial<TPool>(contender.Name, crew, pool, size);
    }
}
