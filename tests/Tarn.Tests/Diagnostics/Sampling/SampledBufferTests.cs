using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>What callers get while every rent is sampled, and what sampling leaves behind.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class SampledBufferTests
{
    [Theory]
    [InlineData(4)]
    [InlineData(2)]
    [InlineData(1)]
    public void Every_length_is_served_and_followed(int classesPerDoubling)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Name = "lengths",
            SizeClassesPerDoubling = classesPerDoubling,
            MaxArrayLength = 4096,
            Checks = BufferChecks.None,
        });
        using SamplingSession session = new(interval: 1);
        for (int length = 1; length <= 4200; length += length < 40 ? 1 : 37)
        {
            byte[] first = pool.Rent(length);
            byte[] second = pool.Rent(length);
            Assert.NotSame(first, second);
            Assert.True(first.Length >= length, $"{first.Length} elements for {length}");
            pool.Return(first);
            pool.Return(second);
        }

        foreach (int length in (int[])[4096, 4097])
        {
            pool.Return(pool.Rent(length));
        }

        AssertNoneIsOut(pool, "lengths");
    }

    [Fact]
    public void A_sampled_array_is_kept_for_the_next_sample()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { MaxArrayLength = 4096, Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        foreach (int length in (int[])[100, 4096])
        {
            byte[] array = pool.Rent(length);
            pool.Return(array);

            Assert.Same(array, pool.Rent(length));
            pool.Return(array, clearArray: true);
        }
    }

    [Fact]
    public void Exact_lengths_stay_exact()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Name = "exact", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        foreach (int length in (int[])[0, 1, 8, 9, 100, 112, 4096, 4097])
        {
            int[] array = pool.RentExact(length);
            Assert.Equal(length, array.Length);
            pool.Return(array);
        }

        // Those of a class's length are counted, but not followed.
        Assert.Equal(7, PprofReader.Take().Sum("alloc_objects", "exact"));
        AssertNoneIsOut(pool, "exact");
    }

    [Fact]
    public void Leases_owners_and_delegates_are_followed()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "owners", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        for (int i = 0; i < 20; i++)
        {
            using (BufferLease<byte> lease = pool.Lease(300))
            {
                Assert.Equal(300, lease.Span.Length);
            }

            pool.LeaseMemory(300).Dispose();
            CountedBuffer<byte>.Rent(pool, 300).Dispose();
        }

        Assert.Equal(60, PprofReader.Take().Sum("alloc_objects", "owners"));
        AssertNoneIsOut(pool, "owners");
    }

    [Fact]
    public void Checked_pools_and_heaps_are_sampled_too()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "checked", Checks = BufferChecks.All });
        using NativeHeap heap = new(new NativeHeapOptions { Name = "checked heap", Checks = BufferChecks.All });
        using SamplingSession session = new(interval: 1);
        byte[] array = pool.Rent(100);
        void* block = heap.Allocate(100);
        Assert.Throws<InvalidOperationException>(() => heap.Free(block, 50));

        PprofReader profile = PprofReader.Take();
        Assert.Equal((1, 1), (profile.Sum("inuse_objects", "checked"), profile.Sum("inuse_objects", "checked heap")));
        pool.Return(array);
        block = heap.Reallocate(block, 100, 5000);
        Assert.Equal(1, PprofReader.Take().Sum("inuse_objects", "checked heap"));
        Assert.Throws<InvalidOperationException>(() => pool.Return(array));
        heap.Free(block, 5000);
        AssertNoneIsOut(pool, "checked");
        Assert.Equal(0, PprofReader.Take().Sum("inuse_objects", "checked heap"));
    }

    [Fact]
    public void A_reallocated_block_is_freed_and_allocated()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = "moved", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        void* block = heap.Allocate(100);
        nuint size = 100;
        foreach (nuint next in (nuint[])[100, 5_000, 300_000, 3_000_000, 400_000, 10])
        {
            block = heap.Reallocate(block, size, next);
            size = next;
        }

        PprofReader profile = PprofReader.Take();
        Assert.Equal((6, 1), (profile.Sum("alloc_objects", "moved"), profile.Sum("inuse_objects", "moved")));
        Assert.Equal(12, profile.Sum("inuse_space", "moved"));
        heap.Free(block);
        Assert.Equal(0, PprofReader.Take().Sum("inuse_objects", "moved"));
    }

    [Fact]
    public void Disposal_of_a_heap_ends_the_samples_of_its_blocks()
    {
        NativeHeap heap = new(new NativeHeapOptions { Name = "disposed", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        for (int i = 0; i < 100; i++)
        {
            heap.Allocate(100);
        }

        heap.Dispose();

        PprofReader profile = PprofReader.Take();
        Assert.Equal((100, 0), (profile.Sum("alloc_objects", "disposed"), profile.Sum("inuse_objects", "disposed")));
    }

    [Fact]
    public void Arrays_that_are_collected_without_a_return_are_lost()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "dropped", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        Drop(pool, 10);
        Eventually.TrueAfterCollections(static () => PprofReader.Take().Sum("lost_objects", "dropped") == 10, "ten arrays are lost");

        PprofReader profile = PprofReader.Take();
        Assert.Equal((0, 1120), (profile.Sum("inuse_objects", "dropped"), profile.Sum("lost_space", "dropped")));
    }

    [Fact]
    public void Without_sampling_the_hit_is_as_before()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using (SamplingSession session = new(interval: 1))
        {
            pool.Return(pool.Rent(100));
        }

        for (int i = 0; i < 10; i++)
        {
            pool.Return(pool.Rent(100));
        }

        byte[] array = pool.Rent(100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        pool.Return(array);
        byte[] again = pool.Rent(100);
        long after = GC.GetAllocatedBytesForCurrentThread();

        Assert.Equal((before, 112), (after, again.Length));
        Assert.Same(array, again);
        pool.Return(again);
    }

    private static void AssertNoneIsOut<T>(BufferPool<T> pool, string name)
    {
        PprofReader profile = PprofReader.Take();
        Assert.True(profile.Sum("alloc_objects", name) > 0);
        Assert.Equal(0, profile.Sum("inuse_objects", name));
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        if (name != "checked")
        {
            pool.Core.Validate();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(BufferPool<byte> pool, int count)
    {
        for (int i = 0; i < count; i++)
        {
            pool.Rent(100)[0] = 1;
        }
    }
}
