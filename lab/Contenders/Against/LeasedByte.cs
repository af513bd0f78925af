using Tarn.Lab.Measurement;

namespace Tarn.Lab.Contenders.Against;

/// <summary>Lease a buffer, write its first byte, return it.</summary>
internal struct LeasedByte<TPool>(TPool pool, int length) : IWork
    where TPool : struct, ILeasingPool
{
    public void Once() => pool.WriteLeased(length);
}
