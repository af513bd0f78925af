namespace Tarn.Integrations.Tests.Writers;

public sealed class DotNextWriterContractTests : WriterContract
{
    private protected override bool RefusesBackwards => false;

    private protected override IWriter Create() => new DotNextSegments();
}
