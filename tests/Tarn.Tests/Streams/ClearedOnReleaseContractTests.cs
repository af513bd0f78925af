namespace Tarn.Tests.Streams;

/// <summary>What was written is cleared by whoever gives it back.</summary>
public sealed class ClearedOnReleaseContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool with { Zeroing = StreamZeroing.OnRelease });
}
