using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Tests.Contracts;

/// <summary>Buffers on the pinned object heap, where elements can be: arrays of references cannot be pinned.</summary>
public sealed class PinnedContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() =>
        BufferPool<T>.Create(new BufferPoolOptions { Pinned = !RuntimeHelpers.IsReferenceOrContainsReferences<T>() });
}
