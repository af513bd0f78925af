namespace Tarn.Tests.Streams;

/// <summary>A stream as it comes.</summary>
public sealed class SharedPoolContractTests : StreamContract
{
    protected override MemoryStream Create() => new PooledMemoryStream();
}
