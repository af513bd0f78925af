using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>Document 2: arrays that may be large, allocated and pooled, with the collections they cause.</summary>
internal sealed class LargeArraysExperiment : IExperiment
{
    private const int WarmUpSize = 1_000;
    private const int Methods = 4;
    private static readonly long[] s_sizes = [.. LargeArraysBenchmark.Sizes.Select(size => (long)size)];

    public string Id => "large-arrays";

    public string Title => "Pooling large arrays";

    public double QuickSeconds => 20;

    public double FullSeconds => 75;

    public ExperimentResult Run(ExperimentContext context)
    {
        SizedBenchmark benchmark = SizedBenchmark.Run<LargeArraysBenchmark>(
            context, s_sizes, Methods, LargeArrays.Table, TimeSpan.FromMilliseconds(40), WarmUp);
        return new ExperimentResult(Describe(context, benchmark));
    }

    private static void WarmUp(LargeArraysBenchmark benchmark)
    {
        benchmark.Size = WarmUpSize;
        benchmark.New();
        benchmark.Shared();
        benchmark.Sized();
        benchmark.Tarn();
    }

    private Section Describe(ExperimentContext context, SizedBenchmark benchmark) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The table of a measurement of 2017, repeated here with Tarn's pool added: rent and return against new, for 100 to "
            + "10,000,000 bytes, with a pool created for exactly that size beside the shared one. No collection is forced between "
            + "iterations, so the figures include the cost of garbage. Collections are for 1,000 operations. "
            + LargeArrays.Table.Source + ".",
        Charts =
        [
            Collections(benchmark, generation: 0),
            Collections(benchmark, generation: 2),
            benchmark.TimeAgainstSize(context, "large-arrays-time", "One array"),
        ],
        Tables =
        [
            benchmark.Times(
                "large-arrays-times",
                "One array",
                "Collections for 1,000 operations.",
                [
                    new Column("Gen0", ColumnKind.Number),
                    new Column("Gen1", ColumnKind.Number),
                    new Column("Gen2", ColumnKind.Number),
                    new Column("Allocated", ColumnKind.Bytes),
                ],
                one => [.. one.Collections, (double?)one.AllocatedBytes]),
        ],
    };

    private static Chart Collections(SizedBenchmark benchmark, int generation) => new()
    {
        Id = $"large-arrays-gen{generation}",
        Title = $"Generation {generation} collections for 1,000 operations",
        Description = $"Bars of generation {generation} collections for each size and method; a pool that keeps the array has none.",
        Kind = ChartKind.Bars,
        X = new Axis("Size", "B", Logarithmic: false),
        Y = new Axis("Collections", "", Logarithmic: false),
        Categories = [.. s_sizes.Select(size => $"{size:N0}")],
        Series = [.. benchmark.ToSeries(one => new Point(Array.IndexOf(s_sizes, one.Size), one.Collections[generation]))],
    };
}
