using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Replay;
using Tarn.Lab.Workloads;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>The array pool under what servers do: mixed sizes, rented here and returned there, under a cap.</summary>
internal sealed class LoadsExperiment : IExperiment
{
    private const string Group = "Mixed sizes from thread to thread";
    private const long TightCap = 50 << 20;
    private const long WideCap = 200 << 20;
    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_peerSettling = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_censusTime = TimeSpan.FromMilliseconds(200);

    private static readonly SizeDistribution s_medium = SizeDistribution.Uniform("100kb", "uniform to 100 kB", 100_000);
    private static readonly SizeDistribution s_large = SizeDistribution.Uniform("2mb", "uniform to 2 MB", 2_000_000);
    private static readonly SizeDistribution s_mixed = SizeDistribution.LogUniform("log-1mib", "log-uniform to 1 MiB", 1 << 20);
    private static readonly SizeDistribution s_small = SizeDistribution.LogUniform("log-16kib", "log-uniform to 16 KiB", 16 << 10);

    /// <summary>Loads that a short run also measures, because claims depend on them.</summary>
    public static IReadOnlyList<MixedLoad> HandedOver { get; } =
    [
        MixedLoad.HandedOver(s_medium, TightCap, 3),
        MixedLoad.HandedOver(s_large, TightCap, 1),
        MixedLoad.HandedOver(s_large, WideCap, 3),
        MixedLoad.HandedOver(s_large, null, 2),
    ];

    /// <summary>As <see cref="HandedOver"/>, with threads that all rent and all return.</summary>
    public static IReadOnlyList<MixedLoad> AllToAll { get; } =
    [
        MixedLoad.AllToAll(s_small, null, 8),
        MixedLoad.AllToAll(s_mixed, null, 2),
        MixedLoad.AllToAll(s_mixed, null, 8),
    ];

    /// <summary>More threads than any program should need at once: what a pool then keeps shows whether it is bounded.</summary>
    public static MixedLoad Crowded { get; } = MixedLoad.AllToAll(s_mixed, null, 32);

    public string Id => "loads";

    public string Title => "Mixed sizes from thread to thread";

    public double QuickSeconds => 26;

    public double FullSeconds => 170;

    public ExperimentResult Run(ExperimentContext context)
    {
        MixedLoad[] loads = [.. LoadsOf(context.IsFull)];
        WarmUpCode(loads[0]);
        Random random = context.CreateRandom();
        List<LoadResult> results = [];
        foreach (MixedLoad load in loads)
        {
            results.Add(Measure(load, context, random));
            context.Report((double)results.Count / (loads.Length + 1));
        }

        LoadStreams streams = LoadStreams.Measure(context, random);
        context.Report(1);
        return new ExperimentResult(Describe(results, streams))
        {
            Comparisons = [.. results.Select(static result => result.ToComparison(Group))],
            Figures = [.. results.SelectMany(static result => result.ToFigures()), .. streams.ToFigures()],
        };
    }

    /// <summary>A full run has every distribution with every cap and number of threads.</summary>
    internal static IEnumerable<MixedLoad> LoadsOf(bool isFull)
    {
        IEnumerable<MixedLoad> all = [.. HandedOver, .. AllToAll, Crowded];
        if (isFull)
        {
            long?[] caps = [TightCap, WideCap, null];
            all = all
                .Concat(
                    from sizes in (SizeDistribution[])[s_medium, s_large, s_mixed]
                    from cap in caps
                    from returning in Enumerable.Range(1, 3)
                    select MixedLoad.HandedOver(sizes, cap, returning))
                .Concat(
                    from sizes in (SizeDistribution[])[s_small, s_mixed]
                    from cap in (long?[])[WideCap, null]
                    from threads in (int[])[2, 8]
                    select MixedLoad.AllToAll(sizes, cap, threads));
        }

        return all.DistinctBy(static load => load.Id);
    }

    /// <summary>All loads run the same code.</summary>
    private static void WarmUpCode(MixedLoad load)
    {
        using var crew = new Crew(load.Threads, isPinned: false);
        WarmUp.Run([CreateOurs(load, crew, BufferPool<byte>.Create()), CreatePeer(load, crew)]);
    }

    private static LoadResult Measure(MixedLoad load, ExperimentContext context, Random random)
    {
        using var crew = new Crew(load.Threads, isPinned: false);
        var pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "lab loads", MaxRetainedBytes = load.Cap });
        MixedLoadTrial<TarnInstance> ours = CreateOurs(load, crew, pool);
        MixedLoadTrial<BclShared> peer = CreatePeer(load, crew);
        RoundSettings rounds = context.IsFull ? new(41, TimeSpan.FromMilliseconds(40)) : new(11, TimeSpan.FromMilliseconds(30));
        int peerIterations = Settle(peer, s_peerSettling, rounds.SampleTime);
        int iterations = Settle(ours, s_settling, rounds.SampleTime);
        ours.BeginCounting();
        peer.BeginCounting();
        RoundSamples samples = PairedRounds.Measure([ours, peer], [iterations, peerIterations], rounds.Rounds, random);

        // The memory of this pool must not count for the next load.
        pool.Trim();
        return new LoadResult(load, samples, ShareOf(ours), ShareOf(peer), ours.PeakInFlightBytes, ours.PeakRetainedBytes)
        {
            SharedRetainedBytes = RetainedBy(load, crew, default(BclShared)),
            CreatedRetainedBytes = RetainedBy(load, crew, new BclCreated(load.CreateBclPool())),
        };
    }

    /// <summary>
    /// Returns the bytes that a pool without statistics keeps: the arrays it handed out in a short run that are alive and not out.
    /// </summary>
    /// <remarks>
    /// A lower bound for <c>ArrayPool.Shared</c>, which may also keep arrays of earlier loads that this run does not see.
    /// </remarks>
    internal static long RetainedBy<TPool>(MixedLoad load, Crew crew, TPool pool)
        where TPool : struct, IBytePool
    {
        var census = new PoolCensus();
        var trial = MixedLoadTrial<CountedPool<TPool>>.Create("", crew, new(pool, census), load, static () => 0);
        _ = Settle(trial, s_censusTime, s_censusTime);
        return Math.Max(0, census.CountLivingBytes() - census.InUseBytes);
    }

    private static MixedLoadTrial<TarnInstance> CreateOurs(MixedLoad load, Crew crew, BufferPool<byte> pool) =>
        MixedLoadTrial<TarnInstance>.Create(
            PoolNames.TarnInstance, crew, new(pool), load, () => pool.GetStatistics().RetainedBytes);

    private static MixedLoadTrial<BclShared> CreatePeer(MixedLoad load, Crew crew) =>
        MixedLoadTrial<BclShared>.Create(PoolNames.BclShared, crew, default, load, static () => 0);

    private static double ShareOf(IMixedLoadTrial trial) => (double)trial.AllocatedBytes / trial.RentedBytes;

    /// <summary>Runs a trial for a time.</summary>
    /// <returns>
    /// The number of iterations that take the time of a sample, by the pace of the whole run. A short run may measure only the scheduler,
    /// and a calibration by the fastest of three runs would be too short on a busy machine.
    /// </returns>
    internal static int Settle(Trial trial, TimeSpan time, TimeSpan sampleTime)
    {
        int iterations = 1_000;
        long done = 0;
        double spent = 0;
        while (spent < time.TotalNanoseconds)
        {
            double took = trial.Run(iterations);
            spent += took;
            done += iterations;
            iterations *= took < sampleTime.TotalNanoseconds ? 2 : 1;
        }

        return (int)Math.Max(1_000, done / spent * sampleTime.TotalNanoseconds);
    }

    private Section Describe(IReadOnlyList<LoadResult> results, LoadStreams streams) => new()
    {
        Id = Id,
        Title = Title,
        Text = "What servers do to a pool: sizes mixed, buffers rented on one thread and returned on another, under a cap. One thread "
            + "rents for one to three threads that return, through queues whose cost is in every figure; or each thread exchanges the "
            + $"buffer it rented for one in a table of all threads, mostly another thread's, and returns that. At most {MixedLoad.MostOut} "
            + "buffers of a thread are out at a time. The first and the last byte are written and read. Counting begins when ours has run "
            + $"for {s_settling.TotalSeconds:0} s; what the process allocates then, of the bytes rented, may be 1 %. Retained is the most "
            + "of ours at any time: five times the most that was in flight, because each size needs its own peak, and 1 MiB a thread are "
            + "allowed.",
        Tables =
        [
            new Table
            {
                Id = "loads-table",
                Title = "Time, allocation and memory",
                Note = "All to all, times are core time. The retained bytes of the BCL's pools are those of arrays handed out in a run of "
                    + "0.2 s that survive a collection, so they are lower bounds.",
                Columns =
                [
                    new Column("Load", ColumnKind.Text),
                    new Column($"{PoolNames.TarnInstance}", ColumnKind.Nanoseconds),
                    new Column($"{PoolNames.BclShared}", ColumnKind.Nanoseconds),
                    new Column("Allocated by ours, %", ColumnKind.Number),
                    new Column("Allocated by Shared, %", ColumnKind.Number),
                    new Column("Most in flight", ColumnKind.Bytes),
                    new Column("Retained", ColumnKind.Bytes),
                    new Column("Allowed", ColumnKind.Bytes),
                    new Column("Retained ÷ in flight", ColumnKind.Number),
                    new Column("The same of Shared", ColumnKind.Number),
                    new Column("The same of Create", ColumnKind.Number),
                ],
                Rows = [.. results.Select(static result => result.ToRow())],
            },
            streams.ToTable(),
        ],
    };
}
