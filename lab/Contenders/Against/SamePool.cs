extern alias Same;

using System.Runtime.CompilerServices;
using SameLibrary = Same::Tarn.BufferPool<byte>;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A pool of this commit's library, compiled once more.</summary>
internal readonly struct SamePool(SameLibrary pool) : ILeasingPool
{
    private readonly SameLibrary _pool = pool;

    public static PoolContender Create(string name, long? cap)
    {
        SameLibrary pool = SameLibrary.Create(new Same::Tarn.BufferPoolOptions { MaxRetainedBytes = cap });
        return PoolContender.Of(name, new SamePool(pool), () => pool.GetStatistics().RetainedBytes, () => pool.Trim());
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => _pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => _pool.Return(array);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLeased(int length)
    {
        using Same::Tarn.BufferLease<byte> lease = _pool.Lease(length);
        lease.Span[0] = 1;
    }
}
