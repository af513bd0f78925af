using Tarn.Lab.Contenders.Streams;

namespace Tarn.Lab.Tests.Workloads;

/// <summary>Creates streams that record the calls on them.</summary>
internal readonly struct RecordingMaker(List<string> calls) : IStreamMaker
{
    public Stream Create(int size)
    {
        calls.Add($"create {size}");
        return new RecordingStream(calls);
    }
}
