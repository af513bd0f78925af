using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Native;

/// <summary>The two measurements of the KMalloc document, its (a) to (e), with every allocator of this system.</summary>
internal sealed class KMallocExperiment : IExperiment
{
    private const string Group = "Native heap, the KMalloc benchmark";
    private const double HeapTarget = 1.0 / 60;
    private const double ConstantTarget = 1.0 / 90;
    private const double MimallocTarget = 1.0 / 4;
    private const double SmallBlockBound = 4.3;

    /// <summary>The document's rows beside ours.</summary>
    private static readonly Dictionary<string, string> s_published = new()
    {
        [NativeNames.CLibrary] = KMalloc.Malloc,
        [NativeNames.TarnHeap] = KMalloc.Heap,
        [NativeNames.TarnConstant] = KMalloc.Pool,
        [NativeNames.TarnNoStatistics] = KMalloc.CountsOff,
    };

    public string Id => "kmalloc";

    public string Title => "The KMalloc benchmark";

    public double QuickSeconds => 35;

    public double FullSeconds => 170;

    public ExperimentResult Run(ExperimentContext context)
    {
        string[] peers = [.. NativeContenders.Peers.Select(peer => peer.Name)];
        ChildRounds<IReadOnlyDictionary<string, double>> times = Measure(
            context.Part(1, 2), [.. KMallocJob.Ours, .. peers], context.IsFull ? 15 : 3, KMallocJob.Start);
        ChildRounds<IReadOnlyDictionary<string, double>> memory = Measure(
            context.Part(2, 2), [NativeNames.TarnHeap, .. peers], context.IsFull ? 7 : 2, SmallBlocksJob.Start);
        RoundSamples notTouched = times.Samples(found => found[KMallocJob.NotTouched]);
        RoundSamples written = times.Samples(found => found[KMallocJob.Written]);
        RoundSamples blocks = memory.Samples(found => found[SmallBlocksJob.BytesPerBlock]);

        return new ExperimentResult(Describe(notTouched, written, blocks))
        {
            Comparisons =
            [
                .. Compare(notTouched, peers, "kmalloc", "Ten thousand blocks", hasTarget: true),
                .. Compare(written, peers, "kmalloc-written", "Ten thousand blocks, written", hasTarget: false),
                .. blocks.CompareWith(NativeNames.TarnHeap, peers, "kmalloc-memory", Group, "A million live 4-byte blocks", _ => null)
                    .Select(comparison => comparison with { Unit = "B" }),
            ],
            Figures =
            [
                new Figure
                {
                    Id = "kmalloc-bytes",
                    Title = "Bytes that a live 4-byte block takes",
                    Value = blocks.Median(0),
                    Unit = "B",
                    Bound = SmallBlockBound,
                },
            ],
        };
    }

    private static ChildRounds<IReadOnlyDictionary<string, double>> Measure(
        ExperimentContext context, string[] contenders, int rounds, Func<string, IReadOnlyDictionary<string, double>> start)
    {
        var children = new ChildRounds<IReadOnlyDictionary<string, double>>(contenders, rounds);
        children.Run(context.CreateRandom(), start, context.Report);
        return children;
    }

    private static IEnumerable<Comparison> Compare(RoundSamples samples, string[] peers, string id, string title, bool hasTarget) =>
    [
        .. samples.CompareWith(NativeNames.TarnHeap, peers, id, Group, title, peer => hasTarget ? TargetOf(peer, HeapTarget) : null),
        .. samples.CompareWith(
            NativeNames.TarnConstant,
            peers,
            id + "-direct",
            Group,
            title + ", of a type",
            peer => hasTarget ? TargetOf(peer, ConstantTarget) : null),
    ];

    private static double? TargetOf(string peer, double targetOfMalloc) =>
        peer == NativeNames.CLibrary ? targetOfMalloc : peer == NativeNames.Mimalloc ? MimallocTarget : null;

    private Section Describe(RoundSamples notTouched, RoundSamples written, RoundSamples blocks) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"The benchmark of a document of 2019, repeated here: {KMalloc.Blocks:N0} blocks of 256 ints are allocated, then all are "
            + "freed; and once more with the first four bytes of each block written, where the memory itself sets the pace. Every "
            + "allocator runs in processes of its own, by turns, because malloc does more or less work depending on the process's other "
            + "allocations. The document's total is calculated from the median of the rounds. Its second measurement is the memory of a "
            + "million live 4-byte blocks, here the growth of the resident memory of such a process, with all blocks written. Tarn's ways "
            + "are the heap, the heap with a size that the compiler knows, and a heap without statistics. Peers are called through "
            + "function pointers without a switch of GC mode, and NativeMemory as every program calls it. "
            + KMalloc.Table.Source + "." + NativePeers.DescribeMissing(),
        Charts =
        [
            Bars(
                "kmalloc-time",
                "Ten thousand blocks",
                "Nanoseconds for one allocation and its free, not touched and written.",
                new Axis("Time for a pair", "ns", Logarithmic: false),
                ["Not touched", "First four bytes written"],
                [
                    .. notTouched.Contenders.Select((name, index) => new Series(
                        name, PoolNames.RoleOf(name), [new Point(0, notTouched.Median(index)), new Point(1, written.Median(index))])),
                    .. KMalloc.Table.Figures.Select(figure => Published(figure.Method, figure.Middle)),
                ]),
            Bars(
                "kmalloc-memory-chart",
                "A live 4-byte block",
                "Bytes of resident memory for each of a million live 4-byte blocks.",
                new Axis("Memory", "B", Logarithmic: false),
                ["Bytes for a 4-byte block"],
                [
                    .. blocks.Contenders.Select((name, index) =>
                        new Series(name, PoolNames.RoleOf(name), [new Point(0, blocks.Median(index))])),
                    .. KMalloc.BytesPerSmallBlock.Select(entry => Published(entry.Key, entry.Value)),
                ]),
        ],
        Tables = [Times(notTouched, written), Memory(blocks)],
    };

    private static Table Times(RoundSamples notTouched, RoundSamples written)
    {
        double malloc = notTouched.IndexOf(NativeNames.CLibrary) is >= 0 and int index ? notTouched.Median(index) : double.NaN;
        double publishedMalloc = KMalloc.Table.Find(KMalloc.Malloc, KMalloc.BlockSize)!.Middle;
        const double All = (double)KMalloc.Blocks * KMalloc.Rounds;
        return new Table
        {
            Id = "kmalloc-times",
            Title = "Ten thousand blocks of 1 KiB",
            Note = $"Totals are of {KMalloc.Rounds:N0} rounds. Times as fast as malloc, here {NativeNames.CLibrary}. Published: "
                + $"{KMalloc.Table.Source}.",
            Columns =
            [
                new Column("Allocator", ColumnKind.Text),
                new Column("Pair", ColumnKind.Nanoseconds),
                new Column("Pair, written", ColumnKind.Nanoseconds),
                new Column("Total", ColumnKind.Nanoseconds),
                new Column("× malloc", ColumnKind.Number),
                new Column("Published total", ColumnKind.Nanoseconds),
                new Column("Published × malloc", ColumnKind.Number),
            ],
            Rows =
            [
                .. notTouched.Contenders.Select((name, contender) =>
                {
                    double pair = notTouched.Median(contender);
                    double? published = s_published.TryGetValue(name, out string? method)
                        ? KMalloc.Table.Find(method, KMalloc.BlockSize)!.Middle
                        : null;
                    return (IReadOnlyList<object?>)
                    [
                        name, pair, written.Median(contender), pair * All, malloc / pair, published * All, publishedMalloc / published,
                    ];
                }),
            ],
        };
    }

    private static Table Memory(RoundSamples blocks) => new()
    {
        Id = "kmalloc-memory",
        Title = "A million live 4-byte blocks",
        Note = $"Growth of a fresh process's resident memory, divided by the blocks. Published: {KMalloc.Table.Source}.",
        Columns =
        [
            new Column("Allocator", ColumnKind.Text),
            new Column("For a block", ColumnKind.Bytes),
            new Column("In all", ColumnKind.Bytes),
            new Column("Published for a block", ColumnKind.Bytes),
        ],
        Rows =
        [
            .. blocks.Contenders.Select((name, index) => (IReadOnlyList<object?>)
            [
                name,
                blocks.Median(index),
                blocks.Median(index) * SmallBlocksJob.Blocks,
                s_published.TryGetValue(name, out string? method) ? KMalloc.BytesPerSmallBlock[method] : null,
            ]),
        ],
    };

    private static Series Published(string method, double value) =>
        new($"{method}, published", SeriesRole.Published, [new Point(0, value)]);

    private static Chart Bars(
        string id, string title, string description, Axis value, IReadOnlyList<string> categories, IReadOnlyList<Series> series) => new()
        {
            Id = id,
            Title = title,
            Description = description,
            Kind = ChartKind.Bars,
            X = new Axis("", "", Logarithmic: false),
            Y = value,
            Categories = categories,
            Series = series,
        };
}
