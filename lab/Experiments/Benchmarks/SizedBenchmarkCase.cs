using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>BenchmarkDotNet's results for one method at one size.</summary>
internal sealed class SizedBenchmarkCase(BenchmarkReport report)
{
    /// <summary>The only parameter of a benchmark class here.</summary>
    private const string SizeParameter = "Size";

    private const double OperationsCounted = 1_000;
    private readonly GcStats _collector = report.GcStats;

    /// <summary>The description of the benchmark, which is the contender's name.</summary>
    public string Method { get; } = report.BenchmarkCase.Descriptor.WorkloadMethodDisplayInfo.Trim('\'');

    public long Size { get; } = (int)report.BenchmarkCase.Parameters[SizeParameter];

    public Statistics Statistics { get; } = report.ResultStatistics!;

    /// <summary>Collections of each generation for a thousand operations.</summary>
    public IReadOnlyList<double> Collections =>
    [
        .. new[] { _collector.Gen0Collections, _collector.Gen1Collections, _collector.Gen2Collections }
            .Select(count => count * (OperationsCounted / Math.Max(1, _collector.TotalOperations))),
    ];

    /// <summary>Bytes for one operation; null if the class does not measure them.</summary>
    public long? AllocatedBytes => _collector.GetBytesAllocatedPerOperation(report.BenchmarkCase);
}
