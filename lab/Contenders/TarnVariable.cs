using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>A pool of ours in a variable of type <c>ArrayPool&lt;byte&gt;</c>: what code gets that was written for the BCL.</summary>
internal readonly struct TarnVariable(ArrayPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}
