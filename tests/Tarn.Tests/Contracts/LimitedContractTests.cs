using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>A pool with the BCL's two limits; its longest class is the one that holds the limit.</summary>
public sealed class LimitedContractTests : ArrayPoolContract
{
    protected override int? LongestKept => 1024;

    protected override int LongestSwept => 1 << 16;

    protected override ArrayPool<T> Pool<T>() => BufferPool<T>.Create(maxArrayLength: 1000, maxArraysPerBucket: 3);
}
