using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>A ring with room for a few bytes, and the two sides in two objects.</summary>
public sealed class SmallRingPipeContractTests : PipeContract
{
    private protected override int Room => 64;

    private protected override (PipeReader Reader, PipeWriter Writer) CreatePipe() =>
        (SharedPipe.CreateReader(Create(64)), SharedPipe.CreateWriter(Open()));
}
