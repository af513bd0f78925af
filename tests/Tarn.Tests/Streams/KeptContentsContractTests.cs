namespace Tarn.Tests.Streams;

/// <summary>Contents that stay after Dispose, as with a plain memory stream.</summary>
public sealed class KeptContentsContractTests : StreamContract
{
    protected override bool KeepsContents => true;

    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InPool) { KeepContentsOnDispose = true });
}
