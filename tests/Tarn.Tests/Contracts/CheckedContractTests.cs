using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>All checks: returned buffers are poisoned, and an array that was not rented here is refused as foreign.</summary>
public sealed class CheckedContractTests : ArrayPoolContract
{
    protected override int LongestSwept => 1 << 18;

    protected override bool ReturnLeavesContents => false;

    protected override bool ClearingLeavesZeros => false;

    protected override Type ForeignLengthException => typeof(InvalidOperationException);

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(new BufferPoolOptions { Checks = BufferChecks.All });
}
