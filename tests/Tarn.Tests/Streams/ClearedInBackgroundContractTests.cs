namespace Tarn.Tests.Streams;

/// <summary>What was written is cleared by another thread.</summary>
public sealed class ClearedInBackgroundContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool with { Zeroing = StreamZeroing.Background });
}
