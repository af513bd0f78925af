using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Replay;

/// <summary>A pool whose rents and returns go through a census.</summary>
internal readonly struct CountedPool<TPool>(TPool pool, PoolCensus census) : IBytePool
    where TPool : struct, IBytePool
{
    private readonly TPool _pool = pool;

    public byte[] Rent(int length)
    {
        byte[] array = _pool.Rent(length);
        census.Rent(length, array);
        return array;
    }

    public void Return(byte[] array)
    {
        census.Return(array);
        _pool.Return(array);
    }
}
