using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>A usual ring.</summary>
public sealed class RingPipeContractTests : PipeContract
{
    private protected override int Room => 4096;

    private protected override (PipeReader Reader, PipeWriter Writer) CreatePipe() =>
        (SharedPipe.CreateReader(Create(4096)), SharedPipe.CreateWriter(Open()));
}
