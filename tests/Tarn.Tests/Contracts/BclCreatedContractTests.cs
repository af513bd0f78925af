using System.Buffers;

namespace Tarn.Tests.Contracts;

/// <summary>The BCL's own: proof that the contract is its contract. Impossible values may come as
/// in the shared one.</summary>
public sealed class BclCreatedContractTests : ArrayPoolContract
{
    protected override int? LongestKept => 1024;

    protected override bool RefusesBeforeClearing => false;

    protected override bool ValuesArePossible => false;

    protected override int LongestSwept => 1 << 16;

    protected override ArrayPool<T> Pool<T>() => ArrayPool<T>.Create(maxArrayLength: 1000, maxArraysPerBucket: 3);
}
