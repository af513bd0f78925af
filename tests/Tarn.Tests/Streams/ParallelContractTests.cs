namespace Tarn.Tests.Streams;

/// <summary>Every read and write takes the way of those on several cores.</summary>
public sealed class ParallelContractTests : StreamContract
{
    protected override MemoryStream Create() =>
        new PooledMemoryStream(new PooledMemoryStreamOptions(Memory.InPool) { ParallelCopyThreshold = 1 });
}
