using System.Text.Json;
using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Running;
using Tarn.Lab.Workloads.Native;
using Tarn.Tests.Support;

namespace Tarn.Lab.Tests.Experiments;

public class WorkloadJobTests
{
    private static readonly WorkloadSettings s_tiny = new() { Length = 1.0 / 4_096, Footprint = 1.0 / 64, Threads = 2, Seed = 3 };

    [Fact]
    public async Task A_child_writes_one_line_that_can_be_read_back()
    {
        using var directory = new TemporaryDirectory();

        var child = await LabProcess.Run(
            directory.Path,
            ["child", "workload", .. WorkloadJob.ToArguments("mstress", NativeNames.NativeMemory, s_tiny, TimeSpan.FromMilliseconds(1))]);

        if (BuildGuard.FindReasonToRefuse() is { } reason)
        {
            Assert.Equal((2, reason), (child.ExitCode, child.Error.TrimEnd()));
            return;
        }

        Assert.Equal("", child.Error);
        Assert.Equal(0, child.ExitCode);
        var measurement = WorkloadMeasurement.FromValues(
            JsonSerializer.Deserialize<Dictionary<string, double>>(Assert.Single(child.Output.TrimEnd().Split('\n')))!);
        Assert.Equal(78 * 3 * 3 / 2, measurement.Operations);
        Assert.True(measurement.Nanoseconds > 0);
        Assert.NotNull(measurement.IdleBytes);
    }

    [Fact]
    public async Task An_unknown_workload_ends_the_child_with_a_sentence()
    {
        using var directory = new TemporaryDirectory();

        var child = await LabProcess.Run(
            directory.Path, ["child", "workload", .. WorkloadJob.ToArguments("nope", NativeNames.NativeMemory, s_tiny, TimeSpan.Zero)]);

        Assert.Equal(2, child.ExitCode);
        Assert.StartsWith(BuildGuard.FindReasonToRefuse() ?? "No such workload: nope.", child.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(NativeNames.NativeMemory, 0)]
    [InlineData(NativeNames.TarnHeap, 0)]
    [InlineData(NativeNames.TarnHeapInstance, 0.001)]
    public void The_job_measures_the_workload_of_its_arguments(string contender, double idleSeconds)
    {
        Skip.IfNot(StressLength.IsLong, "its two threads wait for each other on a busy machine; the long form has each heap");

        // With as many messages on their way as in a real run, the two threads rarely wait for each other's turn on a busy machine.
        var settings = s_tiny with { Footprint = 1 };

        var values =
            new WorkloadJob().Run(WorkloadJob.ToArguments("message-passing", contender, settings, TimeSpan.FromSeconds(idleSeconds)));

        var measurement = WorkloadMeasurement.FromValues(values);
        Assert.Equal(30_000_000 / 4_096, measurement.Operations);
        Assert.Equal(idleSeconds > 0, measurement.IdleBytes is not null);
        Assert.Equal(values.OrderBy(value => value.Key), measurement.ToValues().OrderBy(value => value.Key));
        Assert.Equal(measurement.Nanoseconds / measurement.Operations, measurement.NanosecondsPerOperation);
    }

    [Fact]
    public void A_wrong_number_of_arguments_is_refused()
    {
        Assert.Throws<InvalidDataException>(() => new WorkloadJob().Run(["mstress"]));
    }
}
