using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A pool whose cap is reached all the time.</summary>
public sealed class SmallCapContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { MaxRetainedBytes = 4096 });
}
