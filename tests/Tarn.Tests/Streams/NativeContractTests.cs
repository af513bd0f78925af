namespace Tarn.Tests.Streams;

/// <summary>Contents in native memory: no array has them.</summary>
public sealed class NativeContractTests : StreamContract
{
    protected override bool HasArray => false;

    protected override MemoryStream Create() => new PooledMemoryStream(Memory.InHeap);
}
