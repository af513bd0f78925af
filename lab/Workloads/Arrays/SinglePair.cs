using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>Rent and return one buffer: a method that needs scratch memory.</summary>
internal struct SinglePair<TPool>(TPool pool, int length) : IWork
    where TPool : struct, IBytePool
{
    public void Once() => pool.Return(pool.Rent(length));
}
