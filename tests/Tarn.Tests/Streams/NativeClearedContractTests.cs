namespace Tarn.Tests.Streams;

/// <summary>Native memory, cleared when it is given back.</summary>
public sealed class NativeClearedContractTests : StreamContract
{
    protected override bool HasArray => false;

    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InHeap) { Clearing = StreamClearing.OnReturn });
}
