using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using Tarn.Lab.Benchmarks;
using Tarn.Lab.Contenders;
using Tarn.Lab.Published;
using Tarn.Lab.Results;

namespace Tarn.Lab.Experiments;

/// <summary>Document 1: one byte buffer allocated and freed, seven ways and ours, at 24 sizes.</summary>
internal sealed class Net6AllocationExperiment : IExperiment
{
    private const int WarmUpSize = 1 << 12;
    private const int Methods = 11;
    private static readonly long[] s_sizes = [.. Net6AllocationBenchmark.Sizes.Select(size => (long)size)];

    public string Id => "net6-allocation";

    public string Title => "Buffer allocation, eleven ways";

    public double QuickSeconds => 76;

    public double FullSeconds => 795;

    public ExperimentResult Run(ExperimentContext context)
    {
        Summary summary = BenchmarkRun.Run<Net6AllocationBenchmark>(context, s_sizes.Length * Methods, TimeSpan.FromMilliseconds(12), WarmUp);
        List<Row> rows = [.. summary.Reports.Select(Read)];
        return new ExperimentResult(Describe(context, rows));
    }

    private static void WarmUp(Net6AllocationBenchmark benchmark)
    {
        benchmark.Size = WarmUpSize;
        benchmark.New();
        benchmark.Pool();
        benchmark.HGlobal();
        benchmark.HGlobalWithPressure();
        benchmark.Native();
        benchmark.NativeWithPressure();
        benchmark.TarnHeap();
        benchmark.TarnHeapWithPressure();
        benchmark.Uninitialized();
        benchmark.TarnPool();
        benchmark.TarnLease();
    }

    private static Row Read(BenchmarkReport report) => new(
        report.BenchmarkCase.Descriptor.WorkloadMethodDisplayInfo.Trim('\''),
        (int)report.BenchmarkCase.Parameters[nameof(Net6AllocationBenchmark.Size)],
        report.ResultStatistics!);

    private Section Describe(ExperimentContext context, List<Row> rows) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The table of a measurement made on .NET 6 in 2021, made again here with four more ways of ours: one byte buffer is allocated "
            + "and freed, at every power of two from 16 B to 128 MiB. new byte[] is the baseline of the ratios. Published figures are of "
            + "another machine and year and stand beside ours for their shape. " + Net6Allocation.Table.Source + ".",
        Charts =
        [
            new Chart
            {
                Id = "net6-allocation-time",
                Title = "Allocate and free one buffer",
                Description = "Mean nanoseconds against the size, both logarithmic; published figures dashed, their ranges drawn at the middle.",
                Kind = ChartKind.Lines,
                X = new Axis("Size", "B", Logarithmic: true),
                Y = new Axis("Time", "ns", Logarithmic: true),
                Series =
                [
                    .. rows.GroupBy(row => row.Method).Select(group => new Series(
                        group.Key, PoolNames.RoleOf(group.Key), [.. group.Select(row => new Point(row.Size, row.Statistics.Mean))])),
                    .. Net6Allocation.Table.ToSeries(s_sizes),
                ],
                Marks = context.CacheMarks,
            },
        ],
        Tables =
        [
            new Table
            {
                Id = "net6-allocation-times",
                Title = "Allocate and free one buffer",
                Note = "Error is half of the 99.9 % interval of the mean. Published: " + Net6Allocation.Table.Source + ".",
                Columns =
                [
                    new Column("Size", ColumnKind.Bytes),
                    new Column("Method", ColumnKind.Text),
                    new Column("Mean", ColumnKind.Nanoseconds),
                    new Column("Error", ColumnKind.Nanoseconds),
                    new Column("StdDev", ColumnKind.Nanoseconds),
                    new Column("Median", ColumnKind.Nanoseconds),
                    new Column("Ratio", ColumnKind.Number),
                    new Column("Published", ColumnKind.Text),
                ],
                Rows = [.. rows.Select(row => ToCells(row, rows))],
            },
        ],
    };

    private static IReadOnlyList<object?> ToCells(Row row, List<Row> rows)
    {
        Statistics baseline = rows.First(other => other.Size == row.Size && other.Method == Net6Allocation.New).Statistics;
        return
        [
            (double)row.Size,
            row.Method,
            row.Statistics.Mean,
            row.Statistics.ConfidenceInterval.Margin,
            row.Statistics.StandardDeviation,
            row.Statistics.Median,
            row.Statistics.Mean / baseline.Mean,
            Net6Allocation.Table.Find(row.Method, row.Size)?.Text,
        ];
    }

    private sealed record Row(string Method, long Size, Statistics Statistics);
}
