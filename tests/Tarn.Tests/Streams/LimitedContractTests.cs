namespace Tarn.Tests.Streams;

/// <summary>A limit that is not reached.</summary>
public sealed class LimitedContractTests : StreamContract
{
    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InPool) { MaxCapacity = 2_100_000 });
}
