using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Running;
using Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Tests.Experiments;

public class FrameLoopsJobTests
{
    [Fact]
    public void The_results_of_a_child_are_read_back_with_its_collector()
    {
        var cells = FrameLoopsJob.FromValues(
            new Dictionary<string, double>
            {
                [new FrameCell("", LoopCode.Debug, CopyNames.FourBytes, 1 << 10).Key] = 1,
                [new FrameCell("", LoopCode.Release, AllocationNames.Heap, 1 << 30).Key] = 2,
            },
            FrameCell.Server);

        Assert.Equal(2, cells.Count);
        Assert.Equal(1, cells[new FrameCell(FrameCell.Server, LoopCode.Debug, CopyNames.FourBytes, 1 << 10)]);
        Assert.Equal(2, cells[new FrameCell(FrameCell.Server, LoopCode.Release, AllocationNames.Heap, 1 << 30)]);
    }

    [Fact]
    public void Results_of_unknown_loops_are_refused()
    {
        Assert.Throws<InvalidDataException>(
            () => FrameLoopsJob.FromValues(new Dictionary<string, double> { ["nonsense"] = 1 }, FrameCell.Server));
        Assert.Throws<ArgumentException>(
            () => FrameLoopsJob.FromValues(new Dictionary<string, double> { ["Fast 8 memcpy"] = 1 }, FrameCell.Server));
    }

    [Fact]
    public void Both_codes_are_measured_by_turns_at_a_size()
    {
        var found = FrameLoopsJob.Measure(FrameLoops.Allocation, 64, isFull: false, new Random(1)).ToDictionary();

        string[] names = [.. FrameLoops.Allocation.At(LoopCode.Release, 64).Select(loop => loop.Name)];
        Assert.Equal(
            Enum.GetValues<LoopCode>().SelectMany(code => names.Select(name => new FrameCell(FrameCell.CollectorHere, code, name, 64))),
            found.Keys);
        Assert.All(found.Values, nanoseconds => Assert.True(nanoseconds > 0));
    }

    [Fact]
    public void Arguments_that_do_not_fit_are_refused()
    {
        string other = FrameCell.CollectorHere == FrameCell.Server ? FrameCell.Workstation : FrameCell.Server;

        Assert.Throws<InvalidDataException>(() => new FrameLoopsJob().Run(["copy"]));
        Assert.Throws<InvalidDataException>(
            () => new FrameLoopsJob().Run(FrameLoopsJob.ToArguments(FrameLoops.Copy, other, isFull: false, 1)));
    }

    [Fact]
    public async Task A_child_without_the_collector_it_was_asked_for_says_so()
    {
        using var directory = new TemporaryDirectory();

        var child = await LabProcess.Run(
            directory.Path, ["child", "frame-loops", .. FrameLoopsJob.ToArguments(FrameLoops.Copy, FrameCell.Server, isFull: false, 1)]);

        Assert.Equal(2, child.ExitCode);
        Assert.StartsWith(
            BuildGuard.FindReasonToRefuse() ?? "The collector here is workstation, not server.", child.Error, StringComparison.Ordinal);
    }
}
