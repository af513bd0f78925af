namespace Tarn.Tests.Streams;

/// <summary>Native contents that stay after Dispose.</summary>
public sealed class KeptNativeContentsContractTests : StreamContract
{
    protected override bool HasArray => false;

    protected override bool KeepsContents => true;

    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InHeap) { KeepContentsOnDispose = true });
}
