using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>One row of the dynamic growth table, as measured here.</summary>
internal sealed record StreamGrowthRow
{
    private const double OperationsCounted = 1_000;

    public required string Stream { get; init; }

    public required int Size { get; init; }

    public required bool Segmented { get; init; }

    public required bool CapacityOnCreate { get; init; }

    public required bool ZeroBuffers { get; init; }

    public required bool GrowEachLoop { get; init; }

    public required double Mean { get; init; }

    public required double Error { get; init; }

    /// <summary>Generations 0, 1 and 2, for 1,000 operations.</summary>
    public required IReadOnlyList<double> Collections { get; init; }

    /// <summary>The bytes that an operation allocates; null if unknown.</summary>
    public required long? Allocated { get; init; }

    public bool NothingSet => !(CapacityOnCreate || ZeroBuffers || GrowEachLoop);

    public PublishedTable? Published => DynamicGrowth.TableOf(Segmented, CapacityOnCreate, ZeroBuffers, GrowEachLoop);

    public static StreamGrowthRow Read(BenchmarkReport report)
    {
        GcStats stats = report.GcStats;
        double perThousand = OperationsCounted / Math.Max(1, stats.TotalOperations);
        return new StreamGrowthRow
        {
            Stream = Parameter<string>(report, nameof(StreamGrowthBenchmark.Stream)),
            Size = Parameter<int>(report, nameof(StreamGrowthBenchmark.DataSize)),
            Segmented = Parameter<bool>(report, nameof(StreamGrowthBenchmark.Segmented)),
            CapacityOnCreate = Parameter<bool>(report, nameof(StreamGrowthBenchmark.CapacityOnCreate)),
            ZeroBuffers = Parameter<bool>(report, nameof(StreamGrowthBenchmark.ZeroBuffers)),
            GrowEachLoop = Parameter<bool>(report, nameof(StreamGrowthBenchmark.GrowEachLoop)),
            Mean = report.ResultStatistics!.Mean,
            Error = report.ResultStatistics.ConfidenceInterval.Margin,
            Collections = [stats.Gen0Collections * perThousand, stats.Gen1Collections * perThousand, stats.Gen2Collections * perThousand],
            Allocated = stats.GetBytesAllocatedPerOperation(report.BenchmarkCase),
        };
    }

    public IReadOnlyList<object?> ToCells() =>
    [
        (double)Size,
        Segmented ? "4 KiB" : "at once",
        YesNo(CapacityOnCreate),
        YesNo(ZeroBuffers),
        YesNo(GrowEachLoop),
        Stream,
        Mean,
        Error,
        .. Collections.Select(count => (object?)count),
        (double?)Allocated,
        Published?.Find(Stream, Size)?.Text,
        Segmented && NothingSet ? DynamicGrowth.Collections.GetValueOrDefault((Stream, Size)) : null,
        Segmented && NothingSet && DynamicGrowth.Allocated.TryGetValue((Stream, Size), out double published) ? published : null,
    ];

    private static double YesNo(bool value) => value ? 1.0 : 0.0;

    private static T Parameter<T>(BenchmarkReport report, string name) => (T)report.BenchmarkCase.Parameters[name];
}
