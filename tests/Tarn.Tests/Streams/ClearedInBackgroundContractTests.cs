namespace Tarn.Tests.Streams;

/// <summary>Another thread clears the written bytes.</summary>
public sealed class ClearedInBackgroundContractTests : StreamContract
{
    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InPool) { Clearing = StreamClearing.Background });
}
