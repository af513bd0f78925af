using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>
/// Runs a BenchmarkDotNet class inside this process and without its console output. A process for each of two hundred cases would take
/// longer than a whole quick run.
/// </summary>
internal static class BenchmarkRun
{
    // Called by the benchmark classes, which BenchmarkDotNet creates itself: there is no instance through which to hand it in.
    private static Action s_onCase = () => { };

    public static void CaseStarted() => s_onCase();

    /// <param name="warmUp">
    /// Brings the class's methods to tier-1 before the first case, whose figures would otherwise differ from the rest.
    /// </param>
    /// <param name="quickIteration">The length of an iteration in a quick run: longer where collections are counted.</param>
    public static Summary Run<TBenchmark>(ExperimentContext context, int cases, TimeSpan quickIteration, Action<TBenchmark> warmUp)
        where TBenchmark : new() => Run(context, cases, CreateConfig(CreateJob(context, quickIteration), context), warmUp);

    /// <summary>
    /// For tables with so many rows that a quick run makes only some of them, and a full run of the usual length would take an hour.
    /// </summary>
    /// <param name="isQuickRow">Whether a quick run makes a row.</param>
    public static Summary RunLong<TBenchmark>(
        ExperimentContext context, int cases, TimeSpan quickIteration, Func<BenchmarkCase, bool> isQuickRow, Action<TBenchmark> warmUp)
        where TBenchmark : new()
    {
        Job job = CreateJob(context, quickIteration);
        if (context.IsFull)
        {
            job = job.WithWarmupCount(2).WithIterationCount(12).WithIterationTime(TimeInterval.FromMilliseconds(50));
        }

        ManualConfig config = CreateConfig(job, context);
        return Run(context, cases, context.IsFull ? config : config.AddFilter(new SimpleFilter(isQuickRow)), warmUp);
    }

    private static Summary Run<TBenchmark>(ExperimentContext context, int cases, ManualConfig config, Action<TBenchmark> warmUp)
        where TBenchmark : new()
    {
        WarmUpMethods(warmUp);
        int started = 0;
        s_onCase = () => context.Report((double)started++ / cases);
        Summary summary = BenchmarkRunner.Run<TBenchmark>(config);
        string problems = string.Join("; ", summary.ValidationErrors.Select(error => error.Message));
        if (summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success))
        {
            throw new InvalidOperationException($"BenchmarkDotNet could not run {typeof(TBenchmark).Name}: {problems}");
        }

        return summary;
    }

    private static Job CreateJob(ExperimentContext context, TimeSpan quickIteration) =>
        Job.Default
            .WithToolchain(new InProcessEmitToolchain(TimeSpan.FromMinutes(10), logOutput: false))
            .WithGcForce(false)
            .WithEvaluateOverhead(true)
            .WithWarmupCount(context.IsFull ? 5 : 2)
            .WithIterationCount(context.IsFull ? 15 : 8)
            .WithIterationTime(TimeInterval.FromMilliseconds(context.IsFull ? 100 : quickIteration.TotalMilliseconds))
            .WithId(context.IsFull ? "full" : "quick");

    private static ManualConfig CreateConfig(Job job, ExperimentContext context) =>
        ManualConfig.CreateEmpty()
            .AddJob(job)
            .AddLogger(NullLogger.Instance)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddExporter(MarkdownExporter.GitHub, CsvMeasurementsExporter.Default)
            .WithArtifactsPath(Path.GetFullPath(Path.Combine(context.OutputDirectory, "benchmarkdotnet")))
            .WithOptions(ConfigOptions.DisableLogFile);

    private static void WarmUpMethods<TBenchmark>(Action<TBenchmark> warmUp)
        where TBenchmark : new()
    {
        var instance = new TBenchmark();
        for (int pass = 0; pass < 8; pass++)
        {
            for (int call = 0; call < 2_000; call++)
            {
                warmUp(instance);
            }

            Thread.Sleep(200);
        }
    }
}
