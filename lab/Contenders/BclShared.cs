using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary><c>ArrayPool&lt;byte&gt;.Shared</c>, named directly.</summary>
internal readonly struct BclShared : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => ArrayPool<byte>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => ArrayPool<byte>.Shared.Return(array);
}
