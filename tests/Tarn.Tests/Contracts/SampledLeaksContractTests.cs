using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>Sampling leaks changes nothing that a caller sees.</summary>
public sealed class SampledLeaksContractTests : ArrayPoolContract
{
    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Checks = BufferChecks.SampledLeaks });
}
