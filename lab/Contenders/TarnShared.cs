using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary><c>BufferPool&lt;byte&gt;.Shared</c>, named directly.</summary>
internal readonly struct TarnShared : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => BufferPool<byte>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => BufferPool<byte>.Shared.Return(array);
}
