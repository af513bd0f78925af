namespace Tarn.Integrations.Tests.Writers;

public sealed class NativeWriterContractTests : WriterContract
{
    private protected override IWriter Create() => new TarnNative();
}
