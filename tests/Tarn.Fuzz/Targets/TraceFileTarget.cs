using Tarn.Traces;

namespace Tarn.Fuzz.Targets;

/// <summary>A whole trace file.</summary>
internal sealed class TraceFileTarget : IFuzzTarget
{
    public string Name => "trace-file";

    /// <summary>A short file may unpack to as much as a trace may have, which is documented.</summary>
    public long MostBytes => 512 << 20;

    public IEnumerable<byte[]> Seeds => TraceSeeds.All.Concat(TraceSeeds.WithDetails).Select(static trace =>
    {
        using MemoryStream file = new();
        TraceFile.Write(file, trace);
        return file.ToArray();
    });

    public void Run(byte[] input)
    {
        byte[] file = [.. input];
        if (file.Length > TraceFile.HeadBytes && file[^1] % 2 == 0)
        {
            // Half of the inputs get a head that fits, or none but the first ever passed it.
            byte[] body = file[TraceFile.HeadBytes..];
            TraceFile.Head(body).AsSpan(8).CopyTo(file.AsSpan(8));
        }

        _ = TraceFile.Read(new MemoryStream(file));
    }

    public bool IsDocumented(Exception exception) => exception is InvalidDataException;

    public void Dispose()
    {
    }
}
