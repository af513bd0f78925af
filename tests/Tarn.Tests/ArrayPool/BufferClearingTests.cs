namespace Tarn.Tests.ArrayPool;

public sealed class BufferClearingTests
{
    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.All)]
    public void A_pool_that_clears_every_buffer_hands_out_zeros_only(BufferChecks checks)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Clearing = BufferClearing.OnReturn, Checks = checks });
        for (int round = 0; round < 60; round++)
        {
            byte[] garbage = new byte[50_000];
            garbage.AsSpan().Fill(0xCC);
            foreach (int length in (int[])[10, 1000, 5000, 5001])
            {
                byte[] array = length == 5001 ? pool.RentExact(length) : pool.Rent(length);
                Assert.Equal(-1, array.AsSpan().IndexOfAnyExcept((byte)0));
                array.AsSpan().Fill(7);
                pool.Return(array);
            }

            using BufferLease<byte> lease = pool.Lease(777);
            Assert.Equal(-1, lease.Span.IndexOfAnyExcept((byte)0));
            lease.Span.Fill(7);
        }
    }

    [Fact]
    public void A_pool_that_clears_references_leaves_none_behind_and_does_not_touch_numbers()
    {
        BufferPoolOptions options = new() { Clearing = BufferClearing.References, Checks = BufferChecks.None };
        BufferPool<object?> references = BufferPool<object?>.Create(options);
        object?[] array = references.Rent(100);
        array.AsSpan().Fill(this);
        references.Return(array, usedLength: 1);
        Assert.All(array, Assert.Null);

        BufferPool<KeyValuePair<int, string?>> mixed = BufferPool<KeyValuePair<int, string?>>.Create(options);
        KeyValuePair<int, string?>[] pairs = mixed.Rent(10);
        pairs[9] = new KeyValuePair<int, string?>(1, "x");
        mixed.Return(pairs);
        Assert.Null(pairs[9].Value);

        BufferPool<int> numbers = BufferPool<int>.Create(options);
        int[] plain = numbers.Rent(10);
        plain[9] = 5;
        numbers.Return(plain);
        Assert.Equal(5, plain[9]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(9)]
    [InlineData(16)]
    public void Only_the_used_length_is_cleared(int usedLength)
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        int[] array = pool.Rent(16);
        array.AsSpan().Fill(7);
        pool.Return(array, usedLength);
        Assert.Equal(-1, array.AsSpan(0, usedLength).IndexOfAnyExcept(0));
        Assert.Equal(-1, array.AsSpan(usedLength).IndexOfAnyExcept(7));
        Assert.Same(array, pool.Rent(16));
    }
}
