namespace Tarn.Tests.Streams;

/// <summary>A stream with a capacity hint that becomes longer than the hint.</summary>
public sealed class CapacityHintContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool, capacity: 5000);
}
