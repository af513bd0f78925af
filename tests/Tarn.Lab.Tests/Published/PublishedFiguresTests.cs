using Tarn.Lab.Experiments.Benchmarks;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Loops;
using Tarn.SharedMemory;

namespace Tarn.Lab.Tests.Published;

public class PublishedFiguresTests
{
    private const long KiB = 1 << 10;
    private const long MiB = 1 << 20;

    [Theory]
    [InlineData(Net6Allocation.New, 16, "2.4 ns")]
    [InlineData(Net6Allocation.New, KiB, "30 ns")]
    [InlineData(Net6Allocation.New, 4 * KiB, "118 ns")]
    [InlineData(Net6Allocation.New, 64 * KiB, "1,523 ns")]
    [InlineData(Net6Allocation.New, 128 * KiB, "4,933 ns")]
    [InlineData(Net6Allocation.New, MiB, "210 µs")]
    [InlineData(Net6Allocation.New, 128 * MiB, "2.8 ms")]
    [InlineData(Net6Allocation.New, 32, null)]
    [InlineData(Net6Allocation.Pool, 16, "14–18 ns")]
    [InlineData(Net6Allocation.Pool, 128 * MiB, "14–18 ns")]
    [InlineData(Net6Allocation.Native, 16 * KiB, "47–49 ns")]
    [InlineData(Net6Allocation.Native, 32 * KiB, "105–140 ns")]
    [InlineData(Net6Allocation.Native, 256 * KiB, null)]
    [InlineData(Net6Allocation.Native, MiB, "4,000–8,000 ns")]
    [InlineData(Net6Allocation.Marshal, 16, "47–49 ns")]
    [InlineData(Net6Allocation.MarshalPressure, 16, "85–119 ns")]
    [InlineData(Net6Allocation.NativePressure, 128 * KiB, "143–210 ns")]
    [InlineData(Net6Allocation.Uninitialized, 16, "2.4 ns")]
    [InlineData(Net6Allocation.Uninitialized, 64 * KiB, "237 ns")]
    [InlineData(Net6Allocation.Uninitialized, MiB, "7,700 ns")]
    [InlineData(Net6Allocation.Uninitialized, 128 * MiB, "2.9 ms")]
    [InlineData("nobody", 16, null)]
    public void Buffer_allocation_in_net_6_is_as_published(string method, long size, string? text)
    {
        Assert.Equal(text, Net6Allocation.Table.Find(method, size)?.Text);
    }

    [Theory]
    [InlineData(LargeArrays.New, 100, "8 ns")]
    [InlineData(LargeArrays.New, 1_000, "41 ns")]
    [InlineData(LargeArrays.New, 10_000, "375 ns")]
    [InlineData(LargeArrays.New, 100_000, "3,637 ns")]
    [InlineData(LargeArrays.New, 1_000_000, null)]
    [InlineData(LargeArrays.New, 10_000_000, "558 µs")]
    [InlineData(LargeArrays.Shared, 100, "42–47 ns")]
    [InlineData(LargeArrays.Shared, 1_000_000, "42–47 ns")]
    [InlineData(LargeArrays.Shared, 10_000_000, "651 µs")]
    [InlineData(LargeArrays.Sized, 10_000_000, "47 ns")]
    public void Pooling_large_arrays_is_as_published(string method, long size, string? text)
    {
        Assert.Equal(text, LargeArrays.Table.Find(method, size)?.Text);
    }

    [Theory]
    [InlineData(KMalloc.Malloc, "351.88 ns")]
    [InlineData(KMalloc.Heap, "28.12 ns")]
    [InlineData(KMalloc.Pool, "19.03 ns")]
    [InlineData(KMalloc.CountsOff, "18.82 ns")]
    [InlineData("nobody", null)]
    public void KMallocs_rounds_are_as_published_for_each_pair(string method, string? text)
    {
        Assert.Equal(text, KMalloc.Table.Find(method, 1_024)?.Text);
    }

    [Fact]
    public void KMallocs_memory_is_as_published_for_each_block()
    {
        Assert.Equal(16.34, KMalloc.BytesPerSmallBlock[KMalloc.Malloc], 2);
        Assert.Equal(4.34, KMalloc.BytesPerSmallBlock[KMalloc.Heap], 2);
    }

    [Theory]
    [InlineData(DynamicGrowth.Bcl, 131_072, "183 µs", "182 µs", "204 µs")]
    [InlineData(DynamicGrowth.Recyclable, 131_072, "18.2 µs", "25.4 µs", "13.2 µs")]
    [InlineData(DynamicGrowth.Slim, 131_072, "18.7 µs", "32.8 µs", "19 µs")]
    [InlineData(DynamicGrowth.Bcl, 983_040, "379 µs", null, "2.29 ms")]
    [InlineData(DynamicGrowth.Slim, 16_777_216, "6.88 ms", "9.97 ms", "3.01 ms")]
    [InlineData(DynamicGrowth.Recyclable, 100_597_760, "73.4 ms", null, "46.1 ms")]
    [InlineData(DynamicGrowth.Bcl, 209_715_200, "165 ms", "165 ms", "325 ms")]
    [InlineData(DynamicGrowth.Recyclable, 209_715_200, "154 ms", "207 ms", "107 ms")]
    [InlineData(DynamicGrowth.Slim, 209_715_200, "108 ms", "162 ms", "101 ms")]
    public void Dynamic_growth_is_as_published(string method, int size, string? bulk, string? zeroed, string? segmented)
    {
        Assert.Equal(bulk, DynamicGrowth.TableOf(segmented: false, false, zeroBuffers: false, false)?.Find(method, size)?.Text);
        Assert.Equal(zeroed, DynamicGrowth.TableOf(segmented: false, false, zeroBuffers: true, false)?.Find(method, size)?.Text);
        Assert.Equal(segmented, DynamicGrowth.TableOf(segmented: true, false, zeroBuffers: false, false)?.Find(method, size)?.Text);
    }

    [Theory]
    [InlineData(PublishedMessages.Iceoryx2, 64, "240 ns")]
    [InlineData(PublishedMessages.Iceoryx2, 64 * KiB, "240 ns")]
    [InlineData(PublishedMessages.MappedFile, 100, "93.65 ns")]
    [InlineData(PublishedMessages.SharedMemory, 100, "106.33 ns")]
    [InlineData(PublishedMessages.Pipe, 100, "3,078.04 ns")]
    [InlineData(PublishedMessages.UnixSocket, 100, "3,835.18 ns")]
    [InlineData(PublishedMessages.Tcp, 100, "7,120.38 ns")]
    [InlineData(PublishedMessages.Tcp, 64, null)]
    public void Messages_one_way_are_as_published(string method, long size, string? text)
    {
        Assert.Equal(text, PublishedMessages.OneWay.Find(method, size)?.Text);
        Assert.Equal(
            "169.9 ns", PublishedMessages.OneThread.Find(PublishedMessages.Interprocess, PublishedMessages.InterprocessSize)?.Text);
    }

    [Fact]
    public void Rows_of_dynamic_growth_whose_figures_are_not_noted_have_none()
    {
        Assert.Null(DynamicGrowth.TableOf(segmented: false, capacityOnCreate: true, zeroBuffers: false, growEachLoop: false));
        Assert.Null(DynamicGrowth.TableOf(segmented: false, capacityOnCreate: false, zeroBuffers: false, growEachLoop: true));
        Assert.Null(DynamicGrowth.TableOf(segmented: true, capacityOnCreate: false, zeroBuffers: true, growEachLoop: false));
        Assert.Equal("2,600 / 200 / 0", DynamicGrowth.Collections[(DynamicGrowth.Recyclable, 209_715_200)]);
    }

    [Theory]
    [InlineData(AllocationNames.NewArray, 425e6, 0.07e6)]
    [InlineData(AllocationNames.HGlobal, 19.7e6, 22.7e6)]
    [InlineData(AllocationNames.CoTaskMem, 21.1e6, 25.6e6)]
    [InlineData(AllocationNames.SharedRegion, 0.79e6, 0.79e6)]
    [InlineData(AllocationNames.Stack, 342e6, 0.56e6)]
    [InlineData(AllocationNames.Pool, null, null)]
    public void Memory_for_a_frame_is_as_published_in_loops(string way, double? release, double? debug)
    {
        AssertLoops(Frames.Allocation, way, release);
        AssertLoops(Frames.AllocationInDebug, way, debug);
    }

    [Theory]
    [InlineData(CopyNames.ArrayCopy, 361e3, null)]
    [InlineData(CopyNames.MarshalCopy, 361e3, null)]
    [InlineData(CopyNames.CLibrary, 361e3, null)]
    [InlineData(CopyNames.BlockCopy, 375e3, null)]
    [InlineData(CopyNames.FourBytes, 218e3, 43.6e3)]
    [InlineData(CopyNames.EightBytes, 295e3, 59e3)]
    [InlineData(CopyNames.Tarn, null, null)]
    public void Copies_of_a_frame_are_as_published_in_loops(string way, double? release, double? debug)
    {
        AssertLoops(Frames.Copy, way, release);
        AssertLoops(Frames.CopyInDebug, way, debug);
    }

    [Fact]
    public void Every_published_figure_is_of_a_size_that_is_measured_here()
    {
        Assert.All(
            Net6Allocation.Table.Figures,
            figure => Assert.Contains(Net6AllocationBenchmark.Sizes, size => figure.Covers(figure.Method, size)));
        Assert.All(
            LargeArrays.Table.Figures, figure => Assert.Contains(LargeArraysBenchmark.Sizes, size => figure.Covers(figure.Method, size)));
        Assert.All(DynamicGrowth.Bulk.Figures.Concat(DynamicGrowth.BulkZeroed.Figures).Concat(DynamicGrowth.Segmented.Figures), figure =>
            Assert.Contains(StreamGrowthBenchmark.Sizes, size => figure.Covers(figure.Method, size)));
        Assert.All(
            PublishedMessages.OneWay.Figures, figure => Assert.Contains(RingExperiment.Sizes, size => figure.Covers(figure.Method, size)));
        Assert.Equal(7, Net6Allocation.Table.Figures.Select(figure => figure.Method).Distinct().Count());
    }

    [Fact]
    public void A_line_is_drawn_through_the_middle_of_each_range_at_the_sizes_spoken_of()
    {
        var table = new PublishedTable("source", [new("a", 16, 5), new("b", 16, 64, 4, 9)]);

        var series = table.ToSeries([8, 16, 32, 64, 128]);

        Assert.Equal(["a, published", "b, published"], series.Select(line => line.Name));
        Assert.All(series, line => Assert.Equal(SeriesRole.Published, line.Role));
        Assert.Equal([new Point(16, 5)], series[0].Points);
        Assert.Equal([new Point(16, 6), new Point(32, 6), new Point(64, 6)], series[1].Points);
    }

    private static void AssertLoops(PublishedTable table, string way, double? loops)
    {
        Assert.Null(table.Find(way, Frames.Size + 1));
        Assert.Equal(loops ?? 0, table.Find(way, Frames.Size) is { } figure ? Frames.LoopsOf(figure.Middle) : 0, 1e-3);
    }
}
