using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using Tarn.Lab.Benchmarks;
using Tarn.Lab.Contenders;
using Tarn.Lab.Published;
using Tarn.Lab.Results;

namespace Tarn.Lab.Experiments;

/// <summary>Document 2: arrays that may be large, allocated and pooled, with the collections they cause.</summary>
internal sealed class LargeArraysExperiment : IExperiment
{
    private const int WarmUpSize = 1_000;
    private const int Methods = 4;
    private const double OperationsCounted = 1_000;
    private static readonly long[] s_sizes = [.. LargeArraysBenchmark.Sizes.Select(size => (long)size)];

    public string Id => "large-arrays";

    public string Title => "Pooling large arrays";

    public double QuickSeconds => 20;

    public double FullSeconds => 75;

    public ExperimentResult Run(ExperimentContext context)
    {
        Summary summary = BenchmarkRun.Run<LargeArraysBenchmark>(context, s_sizes.Length * Methods, TimeSpan.FromMilliseconds(40), WarmUp);
        List<Row> rows = [.. summary.Reports.Select(Read)];
        return new ExperimentResult(Describe(context, rows));
    }

    private static void WarmUp(LargeArraysBenchmark benchmark)
    {
        benchmark.Size = WarmUpSize;
        benchmark.New();
        benchmark.Shared();
        benchmark.Sized();
        benchmark.Tarn();
    }

    private static Row Read(BenchmarkReport report)
    {
        GcStats stats = report.GcStats;
        double perThousand = OperationsCounted / Math.Max(1, stats.TotalOperations);
        return new Row(
            report.BenchmarkCase.Descriptor.WorkloadMethodDisplayInfo.Trim('\''),
            (int)report.BenchmarkCase.Parameters[nameof(LargeArraysBenchmark.Size)],
            report.ResultStatistics!.Mean,
            report.ResultStatistics.ConfidenceInterval.Margin,
            [stats.Gen0Collections * perThousand, stats.Gen1Collections * perThousand, stats.Gen2Collections * perThousand],
            stats.GetBytesAllocatedPerOperation(report.BenchmarkCase));
    }

    private Section Describe(ExperimentContext context, List<Row> rows) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The table of a measurement made in 2017, made again here with our pool added: rent and return against new, for 100 to "
            + "10,000,000 bytes, with a pool made for exactly that size beside the shared one. No collection is forced between "
            + "iterations: what the garbage costs is in the figures. Collections are for 1,000 operations. "
            + LargeArrays.Table.Source + ".",
        Charts =
        [
            Collections(rows, generation: 0),
            Collections(rows, generation: 2),
            new Chart
            {
                Id = "large-arrays-time",
                Title = "One array",
                Description = "Mean nanoseconds against the size, both logarithmic; published figures dashed, their ranges drawn at the middle.",
                Kind = ChartKind.Lines,
                X = new Axis("Size", "B", Logarithmic: true),
                Y = new Axis("Time", "ns", Logarithmic: true),
                Series =
                [
                    .. rows.GroupBy(row => row.Method).Select(group => new Series(
                        group.Key, PoolNames.RoleOf(group.Key), [.. group.Select(row => new Point(row.Size, row.Mean))])),
                    .. LargeArrays.Table.ToSeries(s_sizes),
                ],
                Marks = context.CacheMarks,
            },
        ],
        Tables =
        [
            new Table
            {
                Id = "large-arrays-times",
                Title = "One array",
                Note = "Collections for 1,000 operations. Published: " + LargeArrays.Table.Source + ".",
                Columns =
                [
                    new Column("Size", ColumnKind.Bytes),
                    new Column("Method", ColumnKind.Text),
                    new Column("Mean", ColumnKind.Nanoseconds),
                    new Column("Error", ColumnKind.Nanoseconds),
                    new Column("Gen0", ColumnKind.Number),
                    new Column("Gen1", ColumnKind.Number),
                    new Column("Gen2", ColumnKind.Number),
                    new Column("Allocated", ColumnKind.Bytes),
                    new Column("Published", ColumnKind.Text),
                ],
                Rows = [.. rows.Select(ToCells)],
            },
        ],
    };

    private static IReadOnlyList<object?> ToCells(Row row) =>
    [
        (double)row.Size,
        row.Method,
        row.Mean,
        row.Error,
        row.Collections[0],
        row.Collections[1],
        row.Collections[2],
        (double?)row.AllocatedBytes,
        LargeArrays.Table.Find(row.Method, row.Size)?.Text,
    ];

    private static Chart Collections(List<Row> rows, int generation) => new()
    {
        Id = $"large-arrays-gen{generation}",
        Title = $"Generation {generation} collections for 1,000 operations",
        Description = $"Bars of generation {generation} collections for each size and method; a pool that keeps the array has none.",
        Kind = ChartKind.Bars,
        X = new Axis("Size", "B", Logarithmic: false),
        Y = new Axis("Collections", "", Logarithmic: false),
        Categories = [.. s_sizes.Select(size => $"{size:N0}")],
        Series =
        [
            .. rows.GroupBy(row => row.Method).Select(group => new Series(
                group.Key,
                PoolNames.RoleOf(group.Key),
                [.. group.Select(row => new Point(Array.IndexOf(s_sizes, row.Size), row.Collections[generation]))])),
        ],
    };

    private sealed record Row(string Method, long Size, double Mean, double Error, double[] Collections, long? AllocatedBytes);
}
