using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary><c>ArrayPool&lt;T&gt;.Shared</c> for every T.</summary>
internal readonly struct BclTypedPools : ITypedPools
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T[] Rent<T>(int length) => ArrayPool<T>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return<T>(T[] array) => ArrayPool<T>.Shared.Return(array);
}

/// <summary>The shared pool of any element type.</summary>
internal interface ITypedPools
{
    T[] Rent<T>(int length);

    void Return<T>(T[] array);
}

/// <summary><c>BufferPool&lt;T&gt;.Shared</c> for every T.</summary>
internal readonly struct TarnTypedPools : ITypedPools
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T[] Rent<T>(int length) => BufferPool<T>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return<T>(T[] array) => BufferPool<T>.Shared.Return(array);
}
