using System.Buffers;

namespace Tarn.Integrations.Tests.Moves;

public sealed class ArrayPoolMoves
{
    private readonly byte[] _bytes = [.. Enumerable.Range(0, 200).Select(static i => (byte)i)];

    [Fact]
    public void A_lease_does_what_a_rent_and_a_return_did()
    {
        Assert.Equal(SumBefore(new MemoryStream(_bytes), 100), SumAfter(new MemoryStream(_bytes), 100));
        Assert.Equal(4950, SumAfter(new MemoryStream(_bytes), 100));
    }

    [Fact]
    public async Task A_lease_of_memory_crosses_an_await()
    {
        MemoryStream before = new();
        MemoryStream after = new();
        await CopyBefore(new MemoryStream(_bytes), before);
        await CopyAfter(new MemoryStream(_bytes), after);
        Assert.Equal(before.ToArray(), after.ToArray());
    }

    [Fact]
    public void A_pool_in_a_variable_stays_an_array_pool()
    {
        ArrayPool<byte> before = PoolBefore();
        ArrayPool<byte> after = PoolAfter();
        Assert.True(before.Rent(5000).Length >= after.Rent(5000).Length);
    }

    #region ArrayPool, method, before
    private static int SumBefore(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer.AsSpan(0, length));
            int sum = 0;
            foreach (byte value in buffer.AsSpan(0, length))
            {
                sum += value;
            }

            return sum;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
    #endregion

    #region ArrayPool, method, after
    private static int SumAfter(Stream source, int length)
    {
        using BufferLease<byte> buffer = BufferPool<byte>.Shared.Lease(length);
        source.ReadExactly(buffer.Span);
        int sum = 0;
        foreach (byte value in buffer.Span)
        {
            sum += value;
        }

        return sum;
    }
    #endregion

    #region ArrayPool, await, before
    private static async Task CopyBefore(Stream source, Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(81920);
        try
        {
            int count;
            while ((count = await source.ReadAsync(buffer)) > 0)
            {
                await target.WriteAsync(buffer.AsMemory(0, count));
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
    #endregion

    #region ArrayPool, await, after
    private static async Task CopyAfter(Stream source, Stream target)
    {
        using IMemoryOwner<byte> buffer = BufferPool<byte>.Shared.LeaseMemory(81920);
        int count;
        while ((count = await source.ReadAsync(buffer.Memory)) > 0)
        {
            await target.WriteAsync(buffer.Memory[..count]);
        }
    }
    #endregion

    #region ArrayPool, own pool, before
    private static ArrayPool<byte> PoolBefore() => ArrayPool<byte>.Create(maxArrayLength: 1 << 20, maxArraysPerBucket: 50);
    #endregion

    #region ArrayPool, own pool, after
    private static ArrayPool<byte> PoolAfter() => BufferPool<byte>.Create(new BufferPoolOptions
    {
        Name = "frames",
        MaxArrayLength = 1 << 20,
        MaxArraysPerLength = 50,
    });
    #endregion
}
