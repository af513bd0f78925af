namespace Tarn.Tests.NativeHeaps;

public sealed class BlockRoomTests
{
    [Fact]
    public void What_a_thread_may_keep_of_each_class_adds_up_to_less_than_80_KiB()
    {
        long bytes = 0;
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            nuint size = BlockSizes.SizeOf(index);
            Assert.InRange(BlockRoom.Of(size).Guaranteed, 0, BlockRoom.Of(size).BothWays);
            bytes += BlockRoom.Of(size).Guaranteed * (long)size;
        }

        Assert.InRange(bytes, 0, 80 << 10);
    }

    [Theory]
    [InlineData(16, 8)]
    [InlineData(1 << 10, 100)]
    [InlineData(64 << 10, 8)]
    [InlineData(64 << 10, 16)]
    [InlineData(256 << 10, 3)]
    [InlineData(256 << 10, 16)]
    public void A_thread_that_goes_a_little_deep_again_and_again_comes_to_keep_all_it_frees(int size, int depth)
    {
        using NativeHeap heap = Create(1 << 30);
        BlockClassCache cache = GoDeep(heap, (nuint)size, depth, rounds: 10);

        Assert.InRange(cache.FreeCount, depth, cache.Room);
        Assert.Equal(0, cache.Shared.DepotCount);
    }

    /// <summary>
    /// Whatever came before, each thread gets room, and all keep to 768 KiB each and a quarter of what the heap keeps for all.
    /// </summary>
    [Fact]
    public void All_threads_together_keep_no_more_than_the_heap_allows()
    {
        const int Threads = 12;
        const int Size = 16 << 10;
        using NativeHeap heap = Create(64 << 20);
        using Barrier all = new(Threads + 1);
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(_ => new Thread(() =>
        {
            // The section and one block first, so that each thread counts and none is alone.
            GoDeep(heap, Size, 1, rounds: 1);
            all.SignalAndWait();
            GoDeep(heap, Size, 64, rounds: 4);
            all.SignalAndWait();
            all.SignalAndWait();
        }))];
        Array.ForEach(threads, static thread => thread.Start());
        all.SignalAndWait();
        all.SignalAndWait();

        // Before the threads end: any collection may then end their sections.
        int[] rooms = [.. heap.Core.GetSections().Select(static section => section.Classes[(int)BlockSizes.IndexOf(Size)]!.Room)];
        (long granted, int counted) = (heap.Core.ThreadRoom.Granted, heap.Core.ThreadRoom.Threads);
        all.SignalAndWait();
        Array.ForEach(threads, static thread => thread.Join());
        Assert.Equal(Threads, rooms.Length);
        Assert.All(rooms, static room => Assert.InRange(room, 1, BlockRoom.Of(Size).BothWays));
        Assert.Equal(rooms.Sum() * (long)Size, granted);
        Assert.InRange(granted, 1, heap.Core.ThreadRoom.Limit);
        Assert.Equal(Threads, counted);
    }

    private static NativeHeap Create(long cap) => new(new NativeHeapOptions
    {
        Checks = BufferChecks.None,
        IdleTimeout = Timeout.InfiniteTimeSpan,
        MaxRetainedBytes = cap,
    });

    /// <summary>Allocates this number of blocks and frees them, in some rounds. Returns the cache of a thread that did.</summary>
    private static unsafe BlockClassCache GoDeep(NativeHeap heap, nuint size, int depth, int rounds)
    {
        nint[] blocks = new nint[depth];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < depth; i++)
            {
                blocks[i] = (nint)heap.Allocate(size);
            }

            Array.ForEach(blocks, block => heap.Free((void*)block, size));
        }

        return heap.Core.GetSections()[0].Classes[(int)BlockSizes.IndexOf(size)]!;
    }
}
