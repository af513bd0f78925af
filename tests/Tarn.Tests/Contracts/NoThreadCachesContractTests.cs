using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A pool whose threads keep nothing, so that every call goes to the depots.</summary>
public sealed class NoThreadCachesContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { ThreadCaches = false });
}
