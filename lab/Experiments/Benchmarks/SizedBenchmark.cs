using BenchmarkDotNet.Reports;
using Tarn.Lab.Contenders;
using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>A document's benchmark, repeated: methods measured at several sizes by BenchmarkDotNet, beside the published figures.</summary>
internal sealed class SizedBenchmark(Summary summary, IReadOnlyList<long> sizes, PublishedTable published)
{
    public IReadOnlyList<SizedBenchmarkCase> Cases { get; } = [.. summary.Reports.Select(report => new SizedBenchmarkCase(report))];

    /// <param name="methods">How many the class has.</param>
    /// <param name="quickIteration">As <see cref="BenchmarkRun"/> takes it, and <paramref name="warmUp"/> too.</param>
    public static SizedBenchmark Run<TBenchmark>(
        ExperimentContext context,
        IReadOnlyList<long> sizes,
        int methods,
        PublishedTable published,
        TimeSpan quickIteration,
        Action<TBenchmark> warmUp)
        where TBenchmark : new() =>
        new(BenchmarkRun.Run(context, sizes.Count * methods, quickIteration, warmUp), sizes, published);

    /// <summary>One line or one set of bars a method.</summary>
    public IEnumerable<Series> ToSeries(Func<SizedBenchmarkCase, Point> value) =>
        Cases.GroupBy(one => one.Method).Select(group => new Series(group.Key, PoolNames.RoleOf(group.Key), [.. group.Select(value)]));

    public Chart TimeAgainstSize(ExperimentContext context, string id, string title) => new()
    {
        Id = id,
        Title = title,
        Description = "Mean nanoseconds against the size, both logarithmic; published figures dashed, their ranges drawn at the middle.",
        Kind = ChartKind.Lines,
        X = new Axis("Size", "B", Logarithmic: true),
        Y = new Axis("Time", "ns", Logarithmic: true),
        Series = [.. ToSeries(one => new Point(one.Size, one.Statistics.Mean)), .. published.ToSeries(sizes)],
        Marks = context.CacheMarks,
    };

    /// <param name="note">The text before the source of the published figures.</param>
    /// <param name="columns">The columns besides the mean and its error.</param>
    /// <param name="cells">The cells of those columns.</param>
    public Table Times(
        string id,
        string title,
        string note,
        IReadOnlyList<Column> columns,
        Func<SizedBenchmarkCase, IReadOnlyList<object?>> cells) => new()
        {
            Id = id,
            Title = title,
            Note = $"{note} Published: {published.Source}.",
            Columns =
            [
                new Column("Size", ColumnKind.Bytes),
                new Column("Method", ColumnKind.Text),
                new Column("Mean", ColumnKind.Nanoseconds),
                new Column("Error", ColumnKind.Nanoseconds),
                .. columns,
                new Column("Published", ColumnKind.Text),
            ],
            Rows = [.. Cases.Select(one => ToCells(one, cells(one)))],
        };

    private IReadOnlyList<object?> ToCells(SizedBenchmarkCase one, IReadOnlyList<object?> cells) =>
    [
        (double)one.Size,
        one.Method,
        one.Statistics.Mean,
        one.Statistics.ConfidenceInterval.Margin,
        .. cells,
        published.Find(one.Method, one.Size)?.Text,
    ];
}
