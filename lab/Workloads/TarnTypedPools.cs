using System.Runtime.CompilerServices;

namespace Tarn.Lab.Workloads;

/// <summary><c>BufferPool&lt;T&gt;.Shared</c> for every T.</summary>
internal readonly struct TarnTypedPools : ITypedPools
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T[] Rent<T>(int length) => BufferPool<T>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return<T>(T[] array) => BufferPool<T>.Shared.Return(array);
}
