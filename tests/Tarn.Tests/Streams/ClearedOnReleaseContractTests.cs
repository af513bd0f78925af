namespace Tarn.Tests.Streams;

/// <summary>The releasing thread clears the written bytes.</summary>
public sealed class ClearedOnReleaseContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InPool with { Zeroing = StreamZeroing.OnRelease });
}
