namespace Tarn.Integrations.Tests.Writers;

public sealed class PooledMemoryStreamContractTests : WriterContract
{
    private protected override IWriter Create() => new TarnStream();
}
