using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A pool of this commit's library.</summary>
internal readonly struct ThisPool(BufferPool<byte> pool) : ILeasingPool
{
    private readonly BufferPool<byte> _pool = pool;

    public static PoolContender Create(string name, long? cap)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { MaxRetainedBytes = cap });
        return PoolContender.Of(name, new ThisPool(pool), () => pool.GetStatistics().RetainedBytes, () => pool.Trim());
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => _pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => _pool.Return(array);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLeased(int length)
    {
        using BufferLease<byte> lease = _pool.Lease(length);
        lease.Span[0] = 1;
    }
}
