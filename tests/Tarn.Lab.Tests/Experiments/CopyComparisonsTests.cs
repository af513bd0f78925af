using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Tests.Experiments;

public class CopyComparisonsTests
{
    private static readonly (string Id, string Peer)[] s_ids =
    [
        ("copy", CopyNames.MemoryCopy),
        ("copy-spans", CopyNames.SpanCopy),
        ("copy-parallel", CopyNames.MemoryCopy),
        ("copy-rested", CopyNames.MemoryCopy),
    ];

    [Theory]
    [InlineData(1 << 10, 2, null)]
    [InlineData(128 << 10, 2, CopyComparisons.OneCoreTarget)]
    [InlineData(2 << 20, 2, CopyComparisons.OneCoreTarget)]
    [InlineData(8 << 20, 2, CopyComparisons.SeveralCoresTarget)]
    [InlineData(1 << 30, 64, CopyComparisons.SeveralCoresTarget)]
    [InlineData(1 << 30, 1, CopyComparisons.OneCoreTarget)]
    public void Targets_of_the_copy_on_several_cores_are_those_of_the_project(int size, int cores, double? target)
    {
        Assert.Equal(target, CopyComparisons.ParallelTargetOf(size, cores));
    }

    [Fact]
    public void Ours_is_compared_with_the_runtimes_at_every_size()
    {
        int[] sizes = [1 << 10, 8 << 20];
        var comparisons = new CopyComparisons(
            Sweep(
                sizes, CopyNames.Tarn, CopyNames.TarnSpans, CopyNames.TarnParallel, CopyNames.MemoryCopy, CopyNames.SpanCopy),
            Sweep(sizes, CopyNames.TarnParallel, CopyNames.MemoryCopy));

        var all = comparisons.ToComparisons();

        Assert.Equal(
            from id in s_ids from size in sizes select $"{id.Id}-{ByteSize.Id(size)}-{NativeNames.Id(id.Peer)}",
            all.Select(one => one.Id));
        Assert.All(all.Take(2), one => Assert.Equal((CopyNames.Tarn, 1.02), (one.Ours, one.Target)));
        int[] lengths = [8 << 20, 16 << 20, 32 << 20, 64 << 20, 1 << 30];
        Assert.Equal([1.02, 0.85, 0.85, 0.7, 0.7], lengths.Select(CopyComparisons.TargetOf));
        Assert.All(all.Skip(2).Take(2), one => Assert.Equal((CopyNames.TarnSpans, 1.02), (one.Ours, one.Target)));
        Assert.All(all.Skip(4), one => Assert.Equal(CopyNames.TarnParallel, one.Ours));
        Assert.Equal(CopyComparisons.ParallelTargetOf(8 << 20, Environment.ProcessorCount), all[5].Target);
        Assert.All(all.Skip(6), one => Assert.Equal(CopyComparisons.OneCoreTarget, one.Target));
        Assert.All(comparisons.ToTables(), table => Assert.Equal(2, table.Rows.Count));
    }

    [Fact]
    public void A_quick_run_measures_no_size_that_a_full_one_does_not()
    {
        Assert.Empty(CopyComparisons.SizesOf(isFull: false).Except(CopyComparisons.SizesOf(isFull: true)));
        Assert.Contains(CopyComparisons.LeastForTarget, CopyComparisons.SizesOf(isFull: false));
        Assert.Equal(1 << 30, CopyComparisons.SizesOf(isFull: true)[^1]);
    }

    /// <summary>One round in which all took a nanosecond.</summary>
    private static Sweep Sweep(int[] sizes, params string[] names) =>
        new(sizes, [.. sizes.Select(_ => new RoundSamples(names, [.. names.Select(_ => Enumerable.Repeat(1.0, 1).ToArray())]))]);
}
