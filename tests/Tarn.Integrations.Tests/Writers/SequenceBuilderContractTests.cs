namespace Tarn.Integrations.Tests.Writers;

public sealed class SequenceBuilderContractTests : WriterContract
{
    private protected override IWriter Create() => new TarnSegments();
}
