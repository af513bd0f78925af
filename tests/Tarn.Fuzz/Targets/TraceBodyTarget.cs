using Tarn.Traces;

namespace Tarn.Fuzz.Targets;

/// <summary>The unpacked body of a trace, which no checksum guards.</summary>
internal sealed class TraceBodyTarget : IFuzzTarget
{
    public string Name => "trace-body";

    public long MostBytes => 1 << 20;

    public IEnumerable<byte[]> Seeds => TraceSeeds.All.Select(TraceBody.Encode);

    public void Run(byte[] input)
    {
        BufferTrace trace = TraceBody.Decode(input);

        // The events read must survive a second write and read unchanged.
        BufferTrace again = TraceBody.Decode(TraceBody.Encode(trace));
        if (!again.Events.SequenceEqual(trace.Events) || again.Origin != trace.Origin)
        {
            throw new InvalidProgramException("A trace that was read is not written as it was read.");
        }
    }

    public bool IsDocumented(Exception exception) => exception is InvalidDataException;

    public void Dispose()
    {
    }
}
