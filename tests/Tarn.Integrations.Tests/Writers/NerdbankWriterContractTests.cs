namespace Tarn.Integrations.Tests.Writers;

public sealed class NerdbankWriterContractTests : WriterContract
{
    private protected override IWriter Create() => new NerdbankSegments();
}
