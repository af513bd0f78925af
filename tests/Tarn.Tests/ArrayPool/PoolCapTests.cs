using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The hard cap on idle memory, which includes thread caches.</summary>
public sealed class PoolCapTests
{
    private static BufferPool<byte> Create(long? cap) =>
        BufferPool<byte>.Create(new BufferPoolOptions { MaxRetainedBytes = cap, Checks = BufferChecks.None });

    [Theory]
    [InlineData(1)]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    [InlineData(1_000_000)]
    public void Never_more_is_kept_and_nearly_all_of_the_cap_is_used(long cap)
    {
        BufferPool<byte> pool = Create(cap);
        RentAndReturn(pool, 1000, 2000);
        BufferPoolStatistics now = pool.GetStatistics();
        Assert.InRange(pool.Core.Budget.Granted, 0, cap);
        Assert.InRange(now.RetainedBytes, cap / 1024 / 2 * 1024, cap);
        Assert.Equal(2000, (now.RetainedBytes / 1024) + now.Dropped + now.Trimmed);
        pool.Core.Validate();
    }

    [Fact]
    public void The_caches_of_all_threads_count()
    {
        const long cap = 100 * 1024;
        BufferPool<byte> pool = Create(cap);
        Worker[] workers = [.. Enumerable.Range(0, 10).Select(static _ => new Worker())];
        foreach (Worker worker in workers)
        {
            worker.Run(() => RentAndReturn(pool, 1000, 50));
            Assert.InRange(pool.Core.GetStatistics().RetainedBytes, 1, cap);
            Assert.InRange(pool.Core.Budget.Granted, 1, cap);
        }

        pool.Core.Validate();
        Array.ForEach(workers, static worker => worker.Dispose());
    }

    [Fact]
    public void A_cap_of_nothing_keeps_nothing()
    {
        BufferPool<byte> pool = Create(0);
        RentAndReturn(pool, 1000, 10);
        pool.Return(pool.RentExact(1001));
        BufferPoolStatistics now = pool.GetStatistics();
        Assert.Equal((0, 11, 11, 0), (now.RetainedBytes, now.Allocated, now.Dropped, now.InUseBytes));
        Assert.Equal(0, pool.Core.Budget.Granted);
    }

    [Fact]
    public void A_return_that_is_refused_allocates_next_to_nothing()
    {
        const int Refused = 1000;
        BufferPool<byte> pool = Create(10 * 1024);
        RentAndReturn(pool, 1000, 100);
        byte[][] rented = [.. Enumerable.Range(0, 10 + Refused).Select(_ => pool.Rent(1000))];
        long dropped = pool.GetStatistics().Dropped;
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (byte[] array in rented)
        {
            pool.Return(array);
        }

        // Of some refusals, the search looks at the list of sections: an array.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Refused * 16);
        Assert.InRange(pool.GetStatistics().Dropped - dropped, Refused / 2, Refused);
    }

    [Fact]
    public void Older_buffers_of_other_sizes_make_room_for_a_returned_one()
    {
        BufferPool<byte> pool = Create(1 << 20);
        Worker.RunOnce(() => RentAndReturn(pool, 4000, 250));
        for (int i = 0; i < 4; i++)
        {
            RentAndReturn(pool, 100, 500);
        }

        long before = pool.GetStatistics().Allocated;
        RentAndReturn(pool, 100, 500);
        Assert.Equal(before, pool.GetStatistics().Allocated);
        pool.Core.Validate();
    }

    /// <summary>The returns of one class must not all be dropped because others' buffers needed room.</summary>
    [Fact]
    public void Places_of_buffers_in_use_are_given_up_by_one_class_after_another()
    {
        int[] lengths = [64 << 10, 80 << 10, 96 << 10];
        BufferPool<byte> pool = BufferPool<byte>.Create(
            new BufferPoolOptions { MaxRetainedBytes = 4 * lengths.Sum(), Checks = BufferChecks.None, ThreadCaches = false });
        Array.ForEach(lengths, length => RentAndReturn(pool, length, 4));
        byte[][] rented = [.. lengths.SelectMany(length => Enumerable.Range(0, 4).Select(_ => pool.Rent(length)))];
        byte[][] small = [.. Enumerable.Range(0, 12).Select(_ => pool.Rent(16 << 10))];
        Array.ForEach(small, array => pool.Return(array));
        Assert.Equal(12L << 14, pool.GetStatistics().RetainedBytes);
        Assert.All(lengths, length => Assert.InRange(pool.Core.ClassOf(pool.Core.IndexOf(length)).Depot.Places, 3, 4));
        pool.Core.Validate();
        GC.KeepAlive(rented);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(50)]
    [InlineData(200)]
    public void The_limit_per_bucket_counts_the_caches_of_all_threads(int maxArraysPerBucket)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(1 << 20, maxArraysPerBucket);
        RentAndReturn(pool, 1000, maxArraysPerBucket);
        Assert.Equal(maxArraysPerBucket * 1024, pool.GetStatistics().RetainedBytes);
        using Worker worker = new();
        worker.Run(() => RentAndReturn(pool, 1000, 300));
        RentAndReturn(pool, 1000, 300);
        Assert.InRange(pool.GetStatistics().RetainedBytes, 1024, maxArraysPerBucket * 1024);

        // One bucket being full is no reason to keep nothing of another.
        RentAndReturn(pool, 5000, 1);
        Assert.InRange(pool.GetStatistics().RetainedBytes, 5120 + 1024, 5120 + (maxArraysPerBucket * 1024));
        pool.Core.Validate();
    }

    [Fact]
    public void By_default_it_is_a_share_of_the_memory_the_process_may_use()
    {
        long cap = Create(null).Core.Budget.Limit;
        Assert.InRange(cap, 1 << 20, Math.Max(1 << 20, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4));
    }

    [Fact]
    public void A_buffer_larger_than_the_cap_is_handed_out_and_dropped()
    {
        BufferPool<byte> pool = Create(10_000);
        RentAndReturn(pool, 1000, 3);
        RentAndReturn(pool, 20_000, 1);
        Assert.Equal(1, pool.GetStatistics().Dropped);
        Assert.Equal(3 * 1024, pool.GetStatistics().RetainedBytes);
    }

    private static void RentAndReturn(BufferPool<byte> pool, int length, int depth)
    {
        byte[][] rented = [.. Enumerable.Range(0, depth).Select(_ => pool.Rent(length))];
        Array.ForEach(rented, array => pool.Return(array));
    }
}
