namespace Tarn.Tests.Streams;

/// <summary>A pool with all checks: use of returned memory is detected, and returned memory is poisoned.</summary>
public sealed class CheckedPoolContractTests : StreamContract
{
    public CheckedPoolContractTests()
        : base(BufferChecks.All)
    {
    }

    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool);
}
