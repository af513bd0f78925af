using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>A pool of ours in a variable of its own type.</summary>
internal readonly struct TarnInstance(BufferPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}
