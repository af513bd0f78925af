namespace Tarn.Integrations.Tests.Writers;

public sealed class BclWriterContractTests : WriterContract
{
    private protected override IWriter Create() => new BclContiguous();
}
