using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Benchmarks;
using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Document 4: growing streams, filled and read back, with their memory and collections.</summary>
internal sealed class StreamGrowthExperiment : IExperiment
{
    private const int Settings = 16;
    private static readonly int[] s_quickSizes = [4 << 10, DynamicGrowth.Sizes[0], DynamicGrowth.Sizes[1]];

    public string Id => "stream-growth";

    public string Title => "Dynamic growth throughput";

    public double QuickSeconds => 12;

    public double FullSeconds => 900;

    public ExperimentResult Run(ExperimentContext context)
    {
        int streams = StreamContenders.Names.Count;
        int cases = streams * (context.IsFull ? StreamGrowthBenchmark.Sizes.Count() * Settings : s_quickSizes.Length * 2);
        Summary summary = BenchmarkRun.RunLong<StreamGrowthBenchmark>(
            context, cases, TimeSpan.FromMilliseconds(10), IsQuickRow, benchmark => benchmark.WarmUp());
        return new ExperimentResult(Describe(context, InReadingOrder(summary.Reports.Select(StreamGrowthRow.Read))));
    }

    /// <summary>Ours first among the rows with the same settings, and the settings as the document has them.</summary>
    private static List<StreamGrowthRow> InReadingOrder(IEnumerable<StreamGrowthRow> rows)
    {
        List<string> streams = [.. StreamContenders.Names];
        return
        [
            .. rows.OrderBy(row => row.Segmented).ThenBy(row => row.Size)
                .ThenBy(row => row.CapacityOnCreate).ThenBy(row => row.ZeroBuffers).ThenBy(row => row.GrowEachLoop)
                .ThenBy(row => streams.IndexOf(row.Stream)),
        ];
    }

    /// <summary>A few sizes, nothing set.</summary>
    private static bool IsQuickRow(BenchmarkCase benchmark) =>
        s_quickSizes.Contains((int)benchmark.Parameters[nameof(StreamGrowthBenchmark.DataSize)])
        && !(bool)benchmark.Parameters[nameof(StreamGrowthBenchmark.CapacityOnCreate)]
        && !(bool)benchmark.Parameters[nameof(StreamGrowthBenchmark.ZeroBuffers)]
        && !(bool)benchmark.Parameters[nameof(StreamGrowthBenchmark.GrowEachLoop)];

    private Section Describe(ExperimentContext context, IReadOnlyList<StreamGrowthRow> rows) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The table of the MemoryStreamSlim documents, repeated here with Tarn's stream and with smaller sizes added. One operation "
            + "is five streams, each created, written, read and disposed: at once, or with calls of 4 KiB. Capacity: the constructor "
            + "receives the size. Zeroed: pooled memory is cleared when it goes back. Grows: each stream is a twentieth of the size larger "
            + "than the previous one. The document ran a process for each row, without tiered compilation; here all rows run in one "
            + "process with warm code, and pools are emptied between rows. One manager serves all RecyclableMemoryStreams of a row. "
            + $"Collections are for 1,000 operations. Published figures are shown for their shape. {DynamicGrowth.Bulk.Source}."
            + (context.IsFull ? "" : " A quick run makes some of the rows.") + StreamPeers.DescribeMissing(),
        Charts =
        [
            Times(context, rows, segmented: false, "stream-growth-bulk-time", "Written and read at once"),
            Times(context, rows, segmented: true, "stream-growth-segmented-time", "Written and read in pieces of 4 KiB"),
            Allocated(context, rows),
        ],
        Tables = [ToTable(rows)],
    };

    private static Chart Times(
        ExperimentContext context, IReadOnlyList<StreamGrowthRow> rows, bool segmented, string id, string title) => new()
        {
            Id = id,
            Title = title,
            Description = "Mean nanoseconds for five streams against the size of one, nothing set, both logarithmic; published figures "
                + "dashed.",
            Kind = ChartKind.Lines,
            X = new Axis("Size", "B", Logarithmic: true),
            Y = new Axis("Time", "ns", Logarithmic: true),
            Series =
        [
            .. Lines(rows, segmented, row => row.Mean),
            .. (segmented ? DynamicGrowth.Segmented : DynamicGrowth.Bulk).ToSeries([.. DynamicGrowth.Sizes]),
        ],
            Marks = context.CacheMarks,
        };

    private static Chart Allocated(ExperimentContext context, IReadOnlyList<StreamGrowthRow> rows) => new()
    {
        Id = "stream-growth-allocated",
        Title = "Allocated, written in pieces of 4 KiB",
        Description = "Bytes that five streams allocate against the size of one, nothing set, both logarithmic; published figures dashed.",
        Kind = ChartKind.Lines,
        X = new Axis("Size", "B", Logarithmic: true),
        Y = new Axis("Allocated", "B", Logarithmic: true),
        Series =
        [
            .. Lines(rows, segmented: true, row => row.Allocated),
            .. DynamicGrowth.Allocated.Select(entry => new Series(
                $"{entry.Key.Method}, published", SeriesRole.Published, [new Point(entry.Key.Size, entry.Value)])),
        ],
        Marks = context.CacheMarks,
    };

    private static IEnumerable<Series> Lines(IReadOnlyList<StreamGrowthRow> rows, bool segmented, Func<StreamGrowthRow, double?> value) =>
        rows.Where(row => row.NothingSet && row.Segmented == segmented).GroupBy(row => row.Stream).Select(group => new Series(
            group.Key,
            PoolNames.RoleOf(group.Key),
            [.. group.Where(row => value(row) is not null).Select(row => new Point(row.Size, value(row)!.Value))]));

    private static Table ToTable(IReadOnlyList<StreamGrowthRow> rows) => new()
    {
        Id = "stream-growth-times",
        Title = "Five streams",
        Note = "Error is half of the 99.9 % interval of the mean. Collections for 1,000 operations. Published: "
            + $"{DynamicGrowth.Bulk.Source}.",
        Columns =
        [
            new Column("Size", ColumnKind.Bytes),
            new Column("Written", ColumnKind.Text),
            new Column("Capacity", ColumnKind.YesNo),
            new Column("Zeroed", ColumnKind.YesNo),
            new Column("Grows", ColumnKind.YesNo),
            new Column("Stream", ColumnKind.Text),
            new Column("Mean", ColumnKind.Nanoseconds),
            new Column("Error", ColumnKind.Nanoseconds),
            new Column("Gen0", ColumnKind.Number),
            new Column("Gen1", ColumnKind.Number),
            new Column("Gen2", ColumnKind.Number),
            new Column("Allocated", ColumnKind.Bytes),
            new Column("Published", ColumnKind.Text),
            new Column("Published Gen0/1/2", ColumnKind.Text),
            new Column("Published allocated", ColumnKind.Bytes),
        ],
        Rows = [.. rows.Select(row => row.ToCells())],
    };
}
