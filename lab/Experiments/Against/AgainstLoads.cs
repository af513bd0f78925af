using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Measurement;
using Tarn.Lab.Replay;
using Tarn.Lab.Workloads;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Against;

/// <summary>Mixed sizes between threads, with what each build allocates and keeps.</summary>
internal static class AgainstLoads
{
    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_peerSettling = TimeSpan.FromMilliseconds(250);

    /// <summary>Loads that served no choice of a constant.</summary>
    public static IReadOnlyList<MixedLoad> KeptOut { get; } =
    [
        MixedLoad.HandedOver(SizeDistribution.Uniform("20kb", "uniform to 20 kB", 20_000), null, 2),
        MixedLoad.HandedOver(SizeDistribution.LogUniform("log-4mib", "log-uniform to 4 MiB", 4 << 20), null, 3),
        MixedLoad.HandedOver(TwoSizes(), 30 << 20, 2),
        MixedLoad.AllToAll(SizeDistribution.Uniform("300kb", "uniform to 300 kB", 300_000), null, 4),
        MixedLoad.AllToAll(TwoSizes(), null, 12),
        MixedLoad.AllToAll(SizeDistribution.LogUniform("log-128kib", "log-uniform to 128 KiB", 128 << 10), null, 32),
    ];

    public static IEnumerable<AgainstRow> Measure(ExperimentContext context) => Measure(
        context, [.. LoadsExperiment.LoadsOf(context.IsFull)]);

    public static IEnumerable<AgainstRow> Measure(ExperimentContext context, IReadOnlyList<MixedLoad> loads)
    {
        for (int index = 0; index < loads.Count; index++)
        {
            yield return Measure(context, loads[index]);
            context.Report((index + 1.0) / loads.Count);
        }
    }

    private static AgainstRow Measure(ExperimentContext context, MixedLoad load)
    {
        using var crew = new Crew(load.Threads, isPinned: false);
        RoundSettings rounds = context.IsFull ? new(41, TimeSpan.FromMilliseconds(40)) : new(11, TimeSpan.FromMilliseconds(30));
        IReadOnlyList<PoolContender> pools = Builds.CreatePools(load.Cap);
        (Trial Trial, IMixedLoadTrial Counts)[] trials = [.. pools.Select(pool => pool.Accept(new LoadTrial(crew, load)))];
        int[] iterations =
        [
            .. trials.Select((trial, index) =>
                LoadsExperiment.Settle(trial.Trial, index < pools.Count - 1 ? s_settling : s_peerSettling, rounds.SampleTime)),
        ];
        Array.ForEach(trials, static trial => trial.Counts.BeginCounting());
        RoundSamples samples = PairedRounds.Measure(
            [.. trials.Select(static trial => trial.Trial)], iterations, rounds.Rounds, context.CreateRandom());
        foreach (PoolContender pool in pools)
        {
            pool.Trim();
        }

        long shared = LoadsExperiment.RetainedBy(load, crew, default(BclShared));
        return new AgainstRow("loads-" + load.Id, load.Title, samples)
        {
            Allocated = [.. trials.Select(static trial => (double)trial.Counts.AllocatedBytes / trial.Counts.RentedBytes)],
            Retained =
            [
                .. trials[..^1].Select(static trial => (double)trial.Counts.PeakRetainedBytes / trial.Counts.PeakInFlightBytes),
                (double)shared / trials[0].Counts.PeakInFlightBytes,
            ],
        };
    }

    /// <summary>Nine in ten are messages of a few hundred bytes, the others bodies of some hundred kilobytes.</summary>
    private static SizeDistribution TwoSizes() => new(
        "two-sizes", "to 512 B, one in ten to 400 kB", 400_000,
        random => random.Next(10) == 0 ? random.Next(1, 400_001) : random.Next(1, 513));

    private sealed class LoadTrial(Crew crew, MixedLoad load) : IPoolVisitor<(Trial, IMixedLoadTrial)>
    {
        public (Trial, IMixedLoadTrial) Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool
        {
            var trial = MixedLoadTrial<TPool>.Create(contender.Name, crew, pool, load, () => contender.RetainedBytes);
            return (trial, trial);
        }
    }
}
