using System.Diagnostics;
using System.Reflection;
using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.Lab.Running;
using Tarn.Lab.Workloads.Loops;
using Tarn.SharedMemory;

namespace Tarn.Lab.Tests.Experiments;

public class FrameLoopsTests
{
    private static readonly string[] s_copies =
    [
        CopyNames.ArrayCopy, CopyNames.MarshalCopy, CopyNames.CLibrary, CopyNames.BlockCopy, CopyNames.FourBytes, CopyNames.EightBytes,
        CopyNames.SpanCopy, CopyNames.MemoryCopy, CopyNames.Tarn, CopyNames.TarnSpans, CopyNames.TarnParallel,
    ];

    [Theory]
    [InlineData(LoopCode.Release, 8)]
    [InlineData(LoopCode.Release, Frames.Size)]
    [InlineData(LoopCode.Release, 5 << 20)]
    [InlineData(LoopCode.Debug, 8)]
    [InlineData(LoopCode.Debug, Frames.Size)]
    [InlineData(LoopCode.Debug, 5 << 20)]
    internal void Every_copy_copies_all_bytes_and_none_after_them(LoopCode code, int size)
    {
        (byte[] source, byte[] destination) = CopyBuffers.AtLeast(size + 1);
        var loops = FrameLoops.Copy.At(code, size);

        Assert.Equal(s_copies, loops.Select(loop => loop.Name));
        Assert.All(loops, loop =>
        {
            destination.AsSpan().Clear();
            loop.Loop(2);
            Assert.True(source.AsSpan(0, size).SequenceEqual(destination.AsSpan(0, size)), loop.Name);
            Assert.Equal(0, destination[size]);
        });
    }

    [Theory]
    [InlineData(LoopCode.Release)]
    [InlineData(LoopCode.Debug)]
    internal void Every_way_of_allocation_runs_at_the_sizes_that_suit_it(LoopCode code)
    {
        string[] all =
        [
            AllocationNames.NewArray, AllocationNames.HGlobal, AllocationNames.CoTaskMem, AllocationNames.SharedRegion,
            AllocationNames.Stack,
            AllocationNames.Pool, AllocationNames.Lease, AllocationNames.Heap, AllocationNames.Scratch,
        ];

        foreach (int size in (int[])[1 << 10, Frames.Size, AllocationLoops.MostOnStack])
        {
            var loops = FrameLoops.Allocation.At(code, size);
            Assert.Equal(all, loops.Select(loop => loop.Name));
            Assert.All(loops, loop => loop.Loop(3));
        }

        string[] Names(int size) => [.. FrameLoops.Allocation.At(code, size).Select(loop => loop.Name)];
        Assert.DoesNotContain(AllocationNames.Stack, Names(1 << 20));
        Assert.Contains(AllocationNames.SharedRegion, Names(AllocationLoops.MostShared));
        Assert.Equal(code == LoopCode.Debug, Names(1 << 30).Length == 0);
        Assert.Equal(code == LoopCode.Release, Names(1 << 30).Contains(AllocationNames.Pool));
        Assert.DoesNotContain(AllocationNames.SharedRegion, Names(1 << 30));
    }

    [Fact]
    public void The_loops_of_Debug_code_are_not_optimized_and_those_of_the_lab_are_the_labs()
    {
        Assert.True(IsNotOptimized(FrameLoops.Copy.At(LoopCode.Debug, 8)[0].Loop));
        Assert.Same(typeof(LabCommand).Assembly, FrameLoops.Copy.At(LoopCode.Release, 8)[0].Loop.Method.Module.Assembly);
        Assert.Equal(BuildGuard.FindReasonToRefuse() is not null, IsNotOptimized(FrameLoops.Allocation.At(LoopCode.Release, 8)[0].Loop));
    }

    [Fact]
    public void The_frame_is_measured_quickly_too_and_up_to_a_gibibyte_in_full()
    {
        Assert.Contains(Frames.Size, FrameLoops.SizesOf(isFull: false));
        Assert.Empty(FrameLoops.SizesOf(isFull: false).Except(FrameLoops.SizesOf(isFull: true)));
        Assert.Equal(FrameLoops.SizesOf(isFull: true).Order(), FrameLoops.SizesOf(isFull: true));
        Assert.Equal(1 << 30, FrameLoops.SizesOf(isFull: true)[^1]);
        Assert.All(FrameLoops.SizesOf(isFull: true), size => Assert.Equal(0, size % sizeof(long)));
    }

    [Fact]
    public void Loops_that_are_ours_are_drawn_as_ours()
    {
        string[] ours =
        [
            CopyNames.Tarn, CopyNames.TarnSpans, CopyNames.TarnParallel, AllocationNames.SharedRegion, AllocationNames.Pool,
            AllocationNames.Lease, AllocationNames.Heap, AllocationNames.Scratch,
        ];

        foreach (var loop in FrameLoops.Copy.At(LoopCode.Release, 8).Concat(FrameLoops.Allocation.At(LoopCode.Release, 8)))
        {
            Assert.Equal(ours.Contains(loop.Name) ? SeriesRole.Ours : SeriesRole.Peer, PoolNames.RoleOf(loop.Name));
        }
    }

    [Fact]
    public void Other_tables_are_refused()
    {
        Assert.Same(FrameLoops.Copy, FrameLoops.Find(FrameLoops.Copy.Id));
        Assert.Same(FrameLoops.Allocation, FrameLoops.Find(FrameLoops.Allocation.Id));
        Assert.Throws<InvalidDataException>(() => FrameLoops.Find("nope"));
    }

    private static bool IsNotOptimized(Action<int> loop) =>
        loop.Method.Module.Assembly.GetCustomAttribute<DebuggableAttribute>() is { IsJITOptimizerDisabled: true };
}
