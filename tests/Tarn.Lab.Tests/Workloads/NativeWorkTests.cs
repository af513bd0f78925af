using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Tests.Workloads;

public class NativeWorkTests
{
    private readonly RecordingAllocator.Calls _calls = new();

    private RecordingAllocator Allocator => new(_calls);

    [Fact]
    public void A_pair_allocates_one_block_and_frees_it()
    {
        Do(new NativePair<RecordingAllocator>(Allocator, 100), times: 2);

        Assert.Equal([100, -100, 100, -100], _calls.Sizes);
    }

    [Fact]
    public void Deep_pairs_hold_eight_blocks_and_free_them_in_the_order_they_came_in()
    {
        Do(new NativeDeepPairs<RecordingAllocator>(Allocator, 40), times: 1);

        Assert.Equal([.. Enumerable.Repeat(40L, 8), .. Enumerable.Repeat(-40L, 8)], _calls.Sizes);
        Assert.Equal(_calls.AllocatedBlocks, _calls.FreedBlocks.Select(freed => freed.Block));
    }

    [Fact]
    public void A_round_of_the_KMalloc_benchmark_holds_all_its_blocks_and_touches_none()
    {
        Do(new KMallocRound<RecordingAllocator>(Allocator, 1_024, 10), times: 1);

        Assert.Equal([.. Enumerable.Repeat(1_024L, 10), .. Enumerable.Repeat(-1_024L, 10)], _calls.Sizes);
        Assert.Equal(_calls.AllocatedBlocks, _calls.FreedBlocks.Select(freed => freed.Block));
        Assert.All(_calls.FreedBlocks, freed => Assert.Equal(0, freed.Held));
    }

    [Fact]
    public void A_written_round_writes_every_block()
    {
        Do(new KMallocRoundWritten<RecordingAllocator>(Allocator, 1_024, 10), times: 1);

        Assert.Equal(_calls.AllocatedBlocks, _calls.FreedBlocks.Select(freed => freed.Block));
        Assert.Equal(Enumerable.Range(0, 10), _calls.FreedBlocks.Select(freed => freed.Held));
    }

    [Fact]
    public void A_growing_buffer_doubles_from_one_mebibyte_to_256_and_is_written_from_the_start()
    {
        Do(new GrowingBuffer<RecordingAllocator>(Allocator), times: 1);

        long[] sizes = [.. Enumerable.Range(20, 9).Select(power => 1L << power)];
        Assert.Equal(sizes, _calls.Sizes.Where(size => size > 0));
        Assert.Equal(sizes.Select(size => -size), _calls.Sizes.Where(size => size < 0));
        Assert.All(_calls.FreedBlocks, freed => Assert.Equal(1, freed.Held));
        Assert.Equal(0, _calls.Live);
    }

    [Fact]
    public void A_load_keeps_its_bytes_live_and_frees_every_block_before_it_idles()
    {
        const int Threads = 1;
        const long Bytes = 4 << 20;
        using var load = new NativeMemoryLoad<RecordingAllocator>(Allocator, Threads, Bytes, new Random(1));

        Assert.True(SpinWait.SpinUntil(() => _calls.MostLive >= Bytes, TimeSpan.FromSeconds(30)), "the load began");
        load.Stop();

        Assert.Equal(0, _calls.Live);
        // A thread fills its share before it frees any of it, and the last block may pass it.
        Assert.InRange(_calls.MostLive, Bytes / Threads, Bytes + (Threads * (256 << 10)));
        Assert.InRange(_calls.Sizes.Max(), 128 << 10, 256 << 10);
        Assert.InRange(_calls.Sizes.Where(size => size > 0).Min(), 16, 64);
        Assert.NotEqual(_calls.AllocatedBlocks, _calls.FreedBlocks.Select(freed => freed.Block));
    }

    [Fact]
    public void A_requests_blocks_are_all_written_before_the_first_is_freed()
    {
        Do(new SingleBlocks<RecordingAllocator>(Allocator), times: 1);

        Assert.Equal([.. Enumerable.Repeat(64L, 32), .. Enumerable.Repeat(-64L, 32)], _calls.Sizes);
        Assert.All(_calls.FreedBlocks, freed => Assert.Equal(1, freed.Held));
    }

    [Fact]
    public void A_scope_frees_its_blocks_each_time()
    {
        using var heap = new NativeHeap();

        Do(new ScopedBlocks(heap), times: 3);

        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void Arrays_are_new_each_time()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        Do(new NewArrays(), times: 100);

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 100 * 32 * 64, 100 * 32 * 64 * 2);
    }

    private static void Do<TWork>(TWork work, int times)
        where TWork : struct, IWork => new LoopTrial<TWork>("work", work).Run(times);
}
