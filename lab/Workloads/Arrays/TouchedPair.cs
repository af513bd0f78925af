using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>Rent, write the first element, return: the baseline for a lease.</summary>
internal struct TouchedPair<TPool>(TPool pool, int length) : IWork
    where TPool : struct, IBytePool
{
    public void Once()
    {
        byte[] buffer = pool.Rent(length);
        buffer[0] = 1;
        pool.Return(buffer);
    }
}
