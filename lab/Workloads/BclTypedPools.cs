using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Workloads;

/// <summary><c>ArrayPool&lt;T&gt;.Shared</c> for every T.</summary>
internal readonly struct BclTypedPools : ITypedPools
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T[] Rent<T>(int length) => ArrayPool<T>.Shared.Rent(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return<T>(T[] array) => ArrayPool<T>.Shared.Return(array);
}
