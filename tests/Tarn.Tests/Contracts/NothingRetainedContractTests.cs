using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A pool that may keep nothing still hands out and takes back.</summary>
public sealed class NothingRetainedContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { MaxRetainedBytes = 0 });
}
