using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>The BCL's lengths.</summary>
public sealed class OneClassPerDoublingContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { SizeClassesPerDoubling = 1 });
}
