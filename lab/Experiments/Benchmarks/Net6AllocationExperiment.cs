using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Benchmarks;

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
        SizedBenchmark benchmark = SizedBenchmark.Run<Net6AllocationBenchmark>(
            context, s_sizes, Methods, Net6Allocation.Table, TimeSpan.FromMilliseconds(12), WarmUp);
        return new ExperimentResult(Describe(context, benchmark));
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

    private Section Describe(ExperimentContext context, SizedBenchmark benchmark) => new()
    {
        Id = Id,
        Title = Title,
        Text = "The table of a measurement on .NET 6 in 2021, repeated here with four ways of Tarn: one byte buffer is allocated and "
            + "freed, at every power of two from 16 B to 128 MiB. new byte[] is the baseline of the ratios. Published figures come from "
            + "another machine and year; compare their shape. " + Net6Allocation.Table.Source + ".",
        Charts = [benchmark.TimeAgainstSize(context, "net6-allocation-time", "Allocate and free one buffer")],
        Tables =
        [
            benchmark.Times(
                "net6-allocation-times",
                "Allocate and free one buffer",
                "Error is half of the 99.9 % interval of the mean.",
                [
                    new Column("StdDev", ColumnKind.Nanoseconds),
                    new Column("Median", ColumnKind.Nanoseconds),
                    new Column("Ratio", ColumnKind.Number),
                ],
                one => [one.Statistics.StandardDeviation, one.Statistics.Median, one.Statistics.Mean / BaselineOf(one, benchmark)]),
        ],
    };

    private static double BaselineOf(SizedBenchmarkCase one, SizedBenchmark benchmark) =>
        benchmark.Cases.First(other => other.Size == one.Size && other.Method == Net6Allocation.New).Statistics.Mean;
}
