extern alias Counted;

using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Counted;

/// <summary>A pool of the counted library.</summary>
internal readonly struct CountedArrays(Counted::Tarn.BufferPool<byte> pool) : IBytePool
{
    public byte[] Rent(int length) => pool.Rent(length);

    public void Return(byte[] array) => pool.Return(array);
}
