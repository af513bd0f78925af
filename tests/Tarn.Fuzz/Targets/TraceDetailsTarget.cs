using Tarn.Traces;

namespace Tarn.Fuzz.Targets;

/// <summary>The unpacked body of a trace with details, which no checksum guards.</summary>
internal sealed class TraceDetailsTarget : IFuzzTarget
{
    public string Name => "trace-details";

    public long MostBytes => 1 << 20;

    public IEnumerable<byte[]> Seeds => TraceSeeds.WithDetails.Select(TraceBody.Encode);

    public void Run(byte[] input)
    {
        BufferTrace trace = TraceBody.Decode(input, hasDetails: true);

        // What was read must survive a second write and read unchanged.
        BufferTrace again = TraceBody.Decode(TraceBody.Encode(trace), hasDetails: true);
        TraceDetails before = trace.Details!;
        TraceDetails after = again.Details!;
        if (!again.Events.SequenceEqual(trace.Events)
            || !after.Actions.SequenceEqual(before.Actions)
            || !after.Pools.SequenceEqual(before.Pools)
            || !after.Stacks.Frames.SequenceEqual(before.Stacks.Frames)
            || !after.Stacks.Nodes.SequenceEqual(before.Stacks.Nodes)
            || (after.ProcessId, after.IsFromStart, after.HasEnded, after.Cut, after.BeginMicroseconds, after.EndMicroseconds)
                != (before.ProcessId, before.IsFromStart, before.HasEnded, before.Cut, before.BeginMicroseconds, before.EndMicroseconds))
        {
            throw new InvalidProgramException("A trace that was read is not written as it was read.");
        }
    }

    public bool IsDocumented(Exception exception) => exception is InvalidDataException;

    public void Dispose()
    {
    }
}
