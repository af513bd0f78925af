using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>Arrays that were not rented here are refused as foreign, whatever their length.</summary>
public sealed class ReturnChecksContractTests : ArrayPoolContract
{
    protected override Type ForeignLengthException => typeof(InvalidOperationException);

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
}
