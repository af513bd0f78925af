namespace Tarn.Integrations.Tests.Writers;

public sealed class ToolkitWriterContractTests : WriterContract
{
    private protected override IWriter Create() => new ToolkitContiguous();
}
