using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>The process's own pool.</summary>
public sealed class SharedContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Shared;

    /// <inheritdoc/>
    protected override bool HasOtherUsers => true;
}
