namespace Tarn.Integrations.Tests.Writers;

public sealed class PooledWriterContractTests : WriterContract
{
    private protected override IWriter Create() => new TarnContiguous();
}
