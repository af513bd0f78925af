namespace Tarn.Tests.Streams;

/// <summary>The releasing thread clears the written bytes.</summary>
public sealed class ClearedOnReturnContractTests : StreamContract
{
    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InPool) { Clearing = StreamClearing.OnReturn });
}
