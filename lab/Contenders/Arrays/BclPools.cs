using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Arrays;

/// <summary>A pool from <c>ArrayPool&lt;byte&gt;.Create</c>, which is always in a variable.</summary>
internal readonly struct BclCreated(ArrayPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}

/// <summary><c>ArrayPool&lt;byte&gt;.Shared</c>, named directly.</summary>
internal readonly struct BclShared : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => ArrayPool<byte>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => ArrayPool<byte>.Shared.Return(array);
}

/// <summary>
/// <c>ArrayPool&lt;byte&gt;.Shared</c> in a variable. A type apart from <see cref="TarnVariable"/>, so that neither sees the other in its
/// profile.
/// </summary>
internal readonly struct BclVariable(ArrayPool<byte> pool) : IBytePool
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte[] Rent(int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(byte[] array) => pool.Return(array);
}
