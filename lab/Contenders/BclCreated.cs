using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>A pool from <c>ArrayPool&lt;byte&gt;.Create</c>, which is always in a variable.</summary>
internal readonly struct BclCreated(ArrayPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}
