extern alias Other;

using System.Runtime.CompilerServices;
using OtherLibrary = Other::Tarn.BufferPool<byte>;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A pool of the other commit's library.</summary>
internal readonly struct OtherPool(OtherLibrary pool) : ILeasingPool
{
    private readonly OtherLibrary _pool = pool;

    public static PoolContender Create(string name, long? cap)
    {
        OtherLibrary pool = OtherLibrary.Create(new Other::Tarn.BufferPoolOptions { MaxRetainedBytes = cap });
        return PoolContender.Of(name, new OtherPool(pool), () => pool.GetStatistics().RetainedBytes, () => pool.Trim());
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => _pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => _pool.Return(array);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLeased(int length)
    {
        using Other::Tarn.BufferLease<byte> lease = _pool.Lease(length);
        lease.Span[0] = 1;
    }
}
