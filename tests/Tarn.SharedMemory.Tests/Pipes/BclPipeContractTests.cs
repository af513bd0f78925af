using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>The model: a pipe of the BCL.</summary>
public sealed class BclPipeContractTests : PipeContract
{
    private protected override int Room => 64;

    private protected override (PipeReader Reader, PipeWriter Writer) CreatePipe()
    {
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 64, resumeWriterThreshold: 32));
        return (pipe.Reader, pipe.Writer);
    }
}
