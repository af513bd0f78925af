using System.Runtime.CompilerServices;

namespace Tarn.Tests.ArrayPool;

public sealed class RentExactTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void Every_length_is_exact_and_its_array_is_taken_back_and_reused(int classesPerDoubling)
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions { SizeClassesPerDoubling = classesPerDoubling, MaxRetainedBytes = 1 << 28 });
        foreach (int length in Enumerable.Range(1, 300).Concat([1000, 1024, 1025, 65_535, 65_536, 65_537, 1 << 20]))
        {
            byte[] first = pool.RentExact(length);
            Assert.Equal(length, first.Length);
            pool.Return(first);
            Assert.Same(first, pool.RentExact(length));
            byte[] second = pool.RentExact(length);
            Assert.NotSame(first, second);
            pool.Return(second);
            pool.Return(first);
        }

        pool.Core.Validate();
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        Assert.Empty(pool.RentExact(0));
    }

    [Fact]
    public void Checked_pools_give_exact_lengths_too()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.All });
        foreach (int length in (int[])[1, 7, 9, 17, 1000])
        {
            for (int i = 0; i < 40; i++)
            {
                int[] array = pool.RentExact(length);
                Assert.Equal(length, array.Length);
                pool.Return(array);
            }
        }

        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        Assert.True(pool.GetStatistics().Allocated < 5 * 40, "Nothing was reused.");
    }

    [Fact]
    public void At_most_sixteen_idle_arrays_of_a_length_are_kept()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions { MaxRetainedBytes = 1 << 20 });
        byte[][] arrays = [.. Enumerable.Range(0, 20).Select(_ => pool.RentExact(101))];
        Array.ForEach(arrays, array => pool.Return(array));
        Assert.Equal(16 * 101, pool.GetStatistics().RetainedBytes);
        Assert.Equal(4, pool.GetStatistics().Dropped);
        Assert.Equal(20, pool.GetStatistics().Returned);
        pool.Core.Validate();
    }

    [Fact]
    public void The_cap_bounds_exact_arrays_as_well()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions { MaxRetainedBytes = 1000 });
        byte[][] arrays = [.. Enumerable.Range(0, 10).Select(i => pool.RentExact(301 + (2 * i)))];
        Array.ForEach(arrays, array => pool.Return(array));
        Assert.InRange(pool.GetStatistics().RetainedBytes, 1, 1000);
        pool.Core.Validate();
    }

    [Fact]
    public void Lengths_that_were_never_asked_for_are_still_refused()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions());
        pool.Return(pool.RentExact(101));
        byte[] another = new byte[103];
        Assert.Throws<ArgumentException>(() => pool.Return(another));
        Assert.Equal(1, pool.GetStatistics().Returned);
    }

    [Fact]
    public void Exact_arrays_rented_long_ago_are_accepted_whatever_was_trimmed_since()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions());
        byte[] array = pool.RentExact(101);
        pool.Trim();
        for (int i = 0; i < 5000; i++)
        {
            // More lengths than the pool distinguishes.
            pool.Return(pool.RentExact(5001 + i));
        }

        pool.Return(array);
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        Assert.Equal(5001, pool.GetStatistics().Returned);
        pool.Core.Validate();
    }

    [Fact]
    public void A_second_return_right_after_the_first_is_refused()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions());
        byte[] array = pool.RentExact(101);
        pool.Return(array);
        Assert.Throws<InvalidOperationException>(() => pool.Return(array));
        Assert.Same(array, pool.RentExact(101));
        Assert.NotSame(array, pool.RentExact(101));
    }

    [Fact]
    public void Longer_than_the_pool_keeps_is_exact_and_dropped()
    {
        BufferPool<byte> pool = Create(new BufferPoolOptions { MaxArrayLength = 1000 });
        byte[] array = pool.RentExact(1025);
        Assert.Equal(1025, array.Length);
        pool.Return(array);
        Assert.Equal(1, pool.GetStatistics().Dropped);
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
    }

    private static BufferPool<byte> Create(BufferPoolOptions options, [CallerMemberName] string name = "") =>
        BufferPool<byte>.Create(new BufferPoolOptions(options) { Checks = BufferChecks.None, Name = name });

    [Fact]
    public void At_the_cap_a_class_length_is_exact_too_and_counts_once()
    {
        // Room for one buffer of 8 elements, which lies there: a rent of 7 would get it.
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { MaxRetainedBytes = 8 });
        for (int i = 0; i < 10; i++)
        {
            pool.Return(pool.Rent(8));
        }

        byte[] exact = pool.RentExact(7);

        Assert.Equal(7, exact.Length);
        Assert.Equal((11, 10, 7), (pool.GetStatistics().Rented, pool.GetStatistics().Returned, pool.GetStatistics().InUseBytes));
    }
}
