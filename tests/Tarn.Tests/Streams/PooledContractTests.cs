namespace Tarn.Tests.Streams;

/// <summary>A stream as it comes, but for a pool of its own.</summary>
public sealed class PooledContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool);
}
