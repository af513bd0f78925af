using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A fifth of slack at most, said explicitly.</summary>
public sealed class FourClassesPerDoublingContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { SizeClassesPerDoubling = 4 });
}
