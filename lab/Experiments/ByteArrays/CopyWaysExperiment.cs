using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Copies;
using CopyWayList = System.Collections.Generic.IReadOnlyList<(string Name, Tarn.Lab.Workloads.Copies.CopyWays.Way Way)>;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>The ways to copy and clear large memory that the library chose from, and what the next reader of the bytes pays.</summary>
internal sealed class CopyWaysExperiment : IExperiment
{
    public const double ClearTargetToTheCache = 0.85;
    public const double ClearTargetBeyond = 0.70;

    private const string Group = "Copies";
    private const int Beyond = 64 << 20;
    private const int OfCache = 16 << 20;
    private static readonly int[] s_quickSizes = [4 << 20, 8 << 20, 16 << 20, 32 << 20, 64 << 20];
    private static readonly int[] s_fullSizes = [1 << 20, 2 << 20, .. s_quickSizes, 128 << 20, 256 << 20];

    public string Id => "copy-ways";

    public string Title => "Ways to copy";

    public double QuickSeconds => 45;

    public double FullSeconds => 130;

    public ExperimentResult Run(ExperimentContext context)
    {
        int[] sizes = context.IsFull ? s_fullSizes : s_quickSizes;
        using CopyMemory memory = CopyMemory.Create(sizes[^1]);
        CopyWayList two = [.. CopyWays.Copies.Take(2)];
        Sweep copies = Measure(context.Part(1, 6), CopyWays.Copies, memory, DestinationRead.None);
        Sweep read = Measure(context.Part(2, 6), two, memory, DestinationRead.All);
        Sweep last = Measure(context.Part(3, 6), two, memory, DestinationRead.LastPart);
        Sweep clears = Measure(context.Part(4, 6), CopyWays.Clears, memory, DestinationRead.None);
        using CopyMemory? huge = CopyMemory.CreateHuge(sizes[^1]);
        Sweep? hugePages = huge is null ? null : Measure(context.Part(5, 6), two, huge, DestinationRead.None);
        var cached = CachedCopies.Measure(context.Part(6, 6));
        return new ExperimentResult(Describe(copies, read, last, clears, hugePages, cached))
        {
            Comparisons =
            [
                .. clears.Compare(
                    1, 0, static size => $"copy-ways-clear-{ByteSize.Id(size)}", Group, static size => $"Clear, {ByteSize.Text(size)}")
                    .Zip(sizes, static (comparison, size) => comparison with { Target = ClearTargetOf(size) }),
                .. read.Compare(
                    1,
                    0,
                    static size => $"copy-ways-read-{ByteSize.Id(size)}",
                    Group,
                    static size => $"Copy, then read, {ByteSize.Text(size)}"),
                .. last.Compare(
                    1,
                    0,
                    static size => $"copy-ways-last-{ByteSize.Id(size)}",
                    Group,
                    static size => $"Copy, then read the last part, {ByteSize.Text(size)}"),
            ],
        };

        Sweep Measure(
            ExperimentContext part, CopyWayList ways, CopyMemory between, DestinationRead read) => Sweep.Run(
                part,
                new RoundSettings(part.IsFull ? 21 : 9, TimeSpan.FromMilliseconds(2)),
                sizes,
                size => [.. ways.Select(way => new CopyWayTrial(way.Name, way.Way, between, size, read))]);
    }

    /// <summary>The largest allowed ratio of clearing; below the size at which ours changes over, it is the runtime's own.</summary>
    internal static double? ClearTargetOf(int size) =>
        size < OfCache ? CopyComparisons.OneCoreTarget : size < Beyond ? ClearTargetToTheCache : ClearTargetBeyond;

    private static Table Speeds(string id, string title, string note, Sweep sweep) => new()
    {
        Id = id,
        Title = title,
        Note = note,
        Columns =
        [
            new Column("Way", ColumnKind.Text),
            .. sweep.Points.Select(static size => new Column(ByteSize.Text(size), ColumnKind.Number)),
        ],
        Rows =
        [
            .. sweep.Samples[0].Contenders.Select((name, contender) => (IReadOnlyList<object?>)
            [
                name,
                .. sweep.Points.Zip(sweep.Samples, (size, samples) => (object?)(size / samples.Median(contender))),
            ]),
        ],
    };

    private Section Describe(Sweep copies, Sweep read, Sweep last, Sweep clears, Sweep? hugePages, CachedCopies cached) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The ways to copy large memory that `BufferCopy` chose from, by turns in one process, between two blocks that were written "
            + "before. Non-temporal stores write past the caches, so the processor does not first read the lines it overwrites. They win "
            + "when source and destination together exceed the largest cache, and lose when they fit. The reader of the bytes then finds "
            + "them in memory instead of the cache. The second table includes one pass over the destination, the third a pass over its "
            + $"last {ByteSize.Text(CopyWayTrial.LastBytes)}, which an ordinary copy leaves in the cache.",
        Tables =
        [
            Speeds("copy-ways-table", "Copies, GB/s", "Bytes copied, each read and written once.", copies),
            Speeds("copy-ways-read", "Copies whose destination is read once afterwards, GB/s", "Bytes copied.", read),
            Speeds("copy-ways-last", "Copies whose last part is read afterwards, GB/s", "Bytes copied.", last),
            Speeds("copy-ways-clear", "Clears, GB/s", "Bytes written.", clears),
            .. hugePages is null
                ? Array.Empty<Table>()
                : [Speeds("copy-ways-huge", "Copies between pages of 2 MiB, GB/s", "As the first table.", hugePages)],
            cached.ToTable(),
        ],
    };
}
