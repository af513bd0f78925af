namespace Tarn.Tests.Streams;

/// <summary>A stream that was told how long it will be, and becomes longer.</summary>
public sealed class CapacityHintContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool, capacity: 5000);
}
