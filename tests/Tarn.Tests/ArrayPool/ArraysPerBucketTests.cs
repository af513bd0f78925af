using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The limits of <c>Create(maxArrayLength, maxArraysPerBucket)</c> hold for every length and every thread.</summary>
public sealed class ArraysPerBucketTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void The_limit_per_bucket_holds_for_exact_lengths(int maxArraysPerBucket)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(1 << 20, maxArraysPerBucket);
        foreach (int length in (int[])[1001, 1024])
        {
            long before = pool.GetStatistics().RetainedBytes;
            byte[][] rented = [.. Enumerable.Range(0, 10).Select(_ => pool.RentExact(length))];
            Array.ForEach(rented, array => pool.Return(array));
            Assert.Equal(maxArraysPerBucket * length, pool.GetStatistics().RetainedBytes - before);
        }

        Assert.Equal(2 * (10 - maxArraysPerBucket), pool.GetStatistics().Dropped);
        pool.Core.Validate();
    }

    [Fact]
    public void The_option_sets_the_same_limit_beside_others()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { MaxArraysPerLength = 2, Pinned = true });
        byte[][] rented = [.. Enumerable.Range(0, 10).Select(_ => pool.Rent(1000))];
        Array.ForEach(rented, array => pool.Return(array));
        Assert.Equal((2 * 1024, 8), (pool.GetStatistics().RetainedBytes, pool.GetStatistics().Dropped));

        ArgumentException e = Assert.Throws<ArgumentOutOfRangeException>(
            "options", () => BufferPool<byte>.Create(new BufferPoolOptions { MaxArraysPerLength = 0 }));
        Assert.Contains("MaxArraysPerLength", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void One_array_of_a_length_is_kept_wherever_it_comes_back()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(1 << 20, maxArraysPerBucket: 1);
        using Worker worker = new();
        for (int i = 0; i < 10; i++)
        {
            byte[][] here = [pool.Rent(1000), pool.Rent(1000)];
            byte[][] there = worker.Run(() => (byte[][])[pool.Rent(1000), pool.Rent(1000)]);
            Array.ForEach(there, array => pool.Return(array));
            worker.Run(() => Array.ForEach(here, array => pool.Return(array)));
            Assert.Equal(1024, pool.GetStatistics().RetainedBytes);
        }

        pool.Core.Validate();
    }
}
