using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>The same work on 1 to 32 threads at once.</summary>
internal sealed class ThreadsExperiment : IExperiment
{
    private const string Group = "Many threads";
    private const double DeepTarget = 0.20;
    private const int Size = 1 << 10;
    private static readonly int[] s_threads = [1, 2, 8, 32];

    public string Id => "threads";

    public string Title => "Many threads at once";

    public double QuickSeconds => 18;

    public double FullSeconds => 105;

    public ExperimentResult Run(ExperimentContext context)
    {
        ArrayPool<byte> created = ArrayPool<byte>.Create();
        Crew[] crews = [.. s_threads.Select(threads => new Crew(threads))];
        Crew CrewOf(int threads) => crews[Array.IndexOf(s_threads, threads)];

        Sweep single = Sweep.Run(context.Part(1, 2), context.CrewRounds, s_threads, threads =>
        [
            new CrewTrial<SinglePair<TarnShared>>(PoolNames.TarnShared, CrewOf(threads), () => new(default, Size)),
            new CrewTrial<SinglePair<BclShared>>(PoolNames.BclShared, CrewOf(threads), () => new(default, Size)),
            new CrewTrial<SinglePair<BclCreated>>(PoolNames.BclCreated, CrewOf(threads), () => new(new(created), Size)),
        ]);

        const int Depth = DeepPairs<BclShared>.Depth;
        Sweep deep = Sweep.Run(context.Part(2, 2), context.CrewRounds, s_threads, threads =>
        [
            new CrewTrial<DeepPairs<TarnShared>>(PoolNames.TarnShared, CrewOf(threads), () => new(default, Size), Depth),
            new CrewTrial<DeepPairs<BclShared>>(PoolNames.BclShared, CrewOf(threads), () => new(default, Size), Depth),
            new CrewTrial<DeepPairs<BclCreated>>(PoolNames.BclCreated, CrewOf(threads), () => new(new(created), Size), Depth),
        ]);

        foreach (Crew crew in crews)
        {
            crew.Dispose();
        }

        return new ExperimentResult(Describe(single, deep))
        {
            Comparisons =
            [
                .. deep.Compare(
                    0, 1, threads => $"threads-deep-{threads}", Group, threads => $"Eight deep on {Count(threads)}", DeepTarget),
                .. single.Compare(0, 1, threads => $"threads-single-{threads}", Group, threads => $"One buffer on {Count(threads)}"),
            ],
        };
    }

    private static string Count(int threads) => threads == 1 ? "1 thread" : $"{threads} threads";

    private Section Describe(Sweep single, Sweep deep) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"Every thread rents and returns {ByteSize.Text(Size)} buffers of its own from the same pool, one at a time or eight deep. "
            + "Times are core time for one rent and its return: wall time multiplied by the cores in use, so that a pool without "
            + "contention shows the same figure on every line.",
        Charts =
        [
            Throughput(deep, "threads-deep-throughput", "Throughput, eight deep"),
            Throughput(single, "threads-single-throughput", "Throughput, one buffer"),
        ],
        Tables =
        [
            deep.Times("threads-deep-times", "Eight deep", "Core time for one rent and return.", new Column("Threads", ColumnKind.Number)),
            single.Times(
                "threads-single-times", "One buffer", "Core time for one rent and return.", new Column("Threads", ColumnKind.Number)),
        ],
    };

    private static Chart Throughput(Sweep sweep, string id, string title) => new()
    {
        Id = id,
        Title = title,
        Description = "Rents and returns a second, all threads together, against the number of threads.",
        Kind = ChartKind.Lines,
        X = new Axis("Threads", "", Logarithmic: true),
        Y = new Axis("Throughput", "op/s", Logarithmic: false),
        Series = sweep.ToSeries((threads, nanoseconds) => Math.Min(threads, Environment.ProcessorCount) * 1e9 / nanoseconds),
    };
}
