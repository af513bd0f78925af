using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Against;

/// <summary>A pool that also leases.</summary>
internal interface ILeasingPool : IBytePool
{
    /// <summary>Leases a buffer, writes its first byte and returns it.</summary>
    void WriteLeased(int length);
}
