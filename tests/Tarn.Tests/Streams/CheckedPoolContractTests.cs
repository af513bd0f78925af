namespace Tarn.Tests.Streams;

/// <summary>A pool with all checks: memory used after it went back is found, and what comes back is poisoned.</summary>
public sealed class CheckedPoolContractTests : StreamContract
{
    public CheckedPoolContractTests()
        : base(BufferChecks.All)
    {
    }

    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool);
}
