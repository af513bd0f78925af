using System.IO.Pipelines;

namespace Tarn.Tests.Pipes;

/// <summary>A ring with room for a few bytes, and the two sides in two objects.</summary>
public sealed class SmallRingPipeContractTests : PipeContract
{
    private protected override int Room => 64;

    private protected override (PipeReader Reader, PipeWriter Writer) CreatePipe() => (Create(64).AsPipeReader(), Open().AsPipeWriter());
}
