using Tarn.Tests.Support;

namespace Tarn.Tests.Caching;

/// <summary>Pinned arrays that are allocated ahead of use, and the pools that need them.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PinnedSparesTests
{
    [Fact]
    public void Spare_arrays_are_pinned_and_each_is_handed_out_once()
    {
        PinnedSpares<long> spares = new(length: 10);
        spares.Reserve(3);
        long before = GC.GetAllocatedBytesForCurrentThread();
        List<long[]> taken = [spares.Take(), spares.Take(), spares.Take()];
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        taken.Add(spares.Take());

        Assert.InRange(allocated, 0, 10 * sizeof(long) * 3);
        Assert.Distinct(taken);
        Assert.All(taken, array =>
        {
            Assert.Equal(new long[10], array);
            Assert.True(GC.GetGeneration(array) >= 2);
        });
    }

    [Fact]
    public void A_reserve_that_is_large_enough_allocates_nothing()
    {
        PinnedSpares<long> spares = new(length: 10);
        spares.Reserve(3);
        long before = GC.GetAllocatedBytesForCurrentThread();
        spares.Reserve(3);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    /// <summary>Otherwise they would lie between the pool's arrays, and keep the memory around them.</summary>
    [Fact]
    public void Threads_that_use_a_pinned_pool_allocate_no_pinned_memory_of_their_own()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Pinned = true, Checks = BufferChecks.None });
        Work();
        long allocated = 0;
        Thread thread = new(() =>
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Work();
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        });
        thread.Start();
        thread.Join();

        Assert.InRange(allocated, 1, SizeClass.IndexCount * System.Runtime.CompilerServices.Unsafe.SizeOf<CacheEntry>());
        Assert.NotNull(pool.Rent(1));

        void Work()
        {
            for (int i = 0; i < 10; i++)
            {
                pool.Return(pool.Rent(100));
            }
        }
    }
}
