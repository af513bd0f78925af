using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A pool with default options.</summary>
public sealed class CreatedContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create();
}
