using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Arrays;

/// <summary>A pool of ours in a variable of its own type.</summary>
internal readonly struct TarnInstance(BufferPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}

/// <summary><c>BufferPool&lt;byte&gt;.Shared</c>, named directly.</summary>
internal readonly struct TarnShared : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => BufferPool<byte>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => BufferPool<byte>.Shared.Return(array);
}

/// <summary>A pool of ours in a variable of type <c>ArrayPool&lt;byte&gt;</c>: as in code written for the BCL.</summary>
internal readonly struct TarnVariable(ArrayPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}
