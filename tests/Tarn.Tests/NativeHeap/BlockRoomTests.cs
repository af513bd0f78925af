namespace Tarn.Tests.NativeHeaps;

public sealed class BlockRoomTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    [InlineData(1 << 20)]
    [InlineData(16 << 20)]
    [InlineData(1L << 40)]
    public void Unearned_room_adds_up_to_less_than_the_allowance(long cap)
    {
        long bytes = 0;
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            nuint size = BlockSizes.SizeOf(index);
            int blocks = BlockRoom.UnearnedOf(size, cap);
            Assert.InRange(blocks, 0, 2 * BlockRoom.MaxCapacityOf(size));
            bytes += blocks * (long)size;
        }

        Assert.InRange(bytes, 0, Math.Min(BlockRoom.UnearnedBytes - BlockRoom.LentBytes, cap / 128));
    }

    [Theory]
    [InlineData(16, 8)]
    [InlineData(1 << 10, 100)]
    [InlineData(64 << 10, 8)]
    [InlineData(64 << 10, 16)]
    [InlineData(256 << 10, 3)]
    [InlineData(256 << 10, 16)]
    public void A_thread_that_goes_a_little_deep_again_and_again_comes_to_keep_all_it_frees_in_one_magazine(int size, int depth)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });
        BlockClassCache cache = GoDeep(heap, (nuint)size, depth);

        Assert.InRange(cache.Loaded!.FreeCount, depth, cache.Room);
        Assert.Equal(0, cache.Shared.DepotCount);
    }

    /// <summary>Allocates this number of blocks and frees them, thirty times. Returns the number the thread then keeps.</summary>
    private static unsafe BlockClassCache GoDeep(NativeHeap heap, nuint size, int depth)
    {
        nint[] blocks = new nint[depth];
        for (int round = 0; round < 30; round++)
        {
            for (int i = 0; i < depth; i++)
            {
                blocks[i] = (nint)heap.Allocate(size);
            }

            Array.ForEach(blocks, block => heap.Free((void*)block, size));
        }

        return Assert.Single(heap.Core.GetSections()).Classes[(int)BlockSizes.IndexOf(size)]!;
    }
}
