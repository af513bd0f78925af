using System.IO.Pipelines;

namespace Tarn.Tests.Pipes;

/// <summary>A usual ring.</summary>
public sealed class RingPipeContractTests : PipeContract
{
    private protected override int Room => 4096;

    private protected override (PipeReader Reader, PipeWriter Writer) CreatePipe() =>
        (Create(4096).AsPipeReader(), Open().AsPipeWriter());
}
