using System.Text.Json;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Running;

public class ChildCommandTests
{
    [Fact]
    public void Jobs_have_names_of_their_own()
    {
        Assert.Equal(ChildJobs.All.Count, ChildJobs.All.Select(job => job.Name).Distinct().Count());
        Assert.All(ChildJobs.All, job => Assert.Same(job, ChildJobs.Find(job.Name)));
    }

    [Fact]
    public async Task People_are_not_shown_the_command()
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, "--help");

        Assert.Contains("claims", lab.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(ChildProcess.Command + " ", lab.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void A_failure_of_a_child_is_reported_by_its_parent()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");

        string unknown = Assert.Throws<InvalidOperationException>(() => ChildProcess.Run("nope")).Message;
        string noContender = Assert.Throws<InvalidOperationException>(() => SmallBlocksJob.Start("nope")).Message;

        Assert.StartsWith("The job nope ended with exit code 2: No such job: nope.", unknown, StringComparison.Ordinal);
        Assert.Contains("exit code 2: There is no native allocator named nope.", noContender, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void A_live_4_byte_block_of_malloc_takes_32_bytes()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        Skip.IfNot(NativeNames.CLibrary == "glibc malloc" && Environment.Is64BitProcess, "known of glibc on 64 bits only");

        Assert.InRange(SmallBlocksJob.Start(NativeNames.CLibrary)[SmallBlocksJob.BytesPerBlock], 31.5, 33);
    }

    [SkippableFact]
    public async Task Without_room_for_jemalloc_the_lab_restarts_its_own_image_and_loads_it()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        Skip.IfNot(NativePeers.Jemalloc.LacksThreadStorage(), "jemalloc is not installed, or needs no room");
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, ChildProcess.Command, "small-blocks", NativeNames.Jemalloc);

        Assert.Equal((0, ""), (lab.ExitCode, lab.Error));
        var found = JsonSerializer.Deserialize<Dictionary<string, double>>(lab.Output)!;
        Assert.InRange(found[SmallBlocksJob.BytesPerBlock], 8, 9);
    }

    [Theory]
    [InlineData(null, "glibc.rtld.optional_static_tls=16384")]
    [InlineData("", "glibc.rtld.optional_static_tls=16384")]
    [InlineData("glibc.malloc.arena_max=1", "glibc.malloc.arena_max=1:glibc.rtld.optional_static_tls=16384")]
    [InlineData("glibc.rtld.optional_static_tls=16384", null)]
    [InlineData("glibc.rtld.optional_static_tls=512:glibc.malloc.arena_max=1", null)]
    public void The_room_is_added_to_the_users_settings_and_never_twice(string? before, string? after)
    {
        Assert.Equal(after, ThreadStorageRestart.Extend(before));
    }
}
