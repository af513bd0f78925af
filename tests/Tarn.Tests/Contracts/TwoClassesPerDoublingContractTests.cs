using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A third of slack at most.</summary>
public sealed class TwoClassesPerDoublingContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { SizeClassesPerDoubling = 2 });
}
