using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Copies;

/// <summary>One way to copy or clear; then, if asked, the destination is read.</summary>
internal sealed unsafe class CopyWayTrial(string name, CopyWays.Way way, CopyMemory memory, int size, DestinationRead read)
    : Trial(name, operationsPerIteration: 1)
{
    /// <summary>The bytes that <see cref="DestinationRead.LastPart"/> reads: few enough for any largest cache.</summary>
    public const int LastBytes = 4 << 20;

    private readonly int _bytesRead = read switch
    {
        DestinationRead.All => size,
        DestinationRead.LastPart => Math.Min(size, LastBytes),
        _ => 0,
    };

    /// <summary>What was read, so that the reading is not optimized away.</summary>
    public long Sum { get; private set; }

    public override double Run(int iterations)
    {
        byte* from = memory.Source;
        byte* to = memory.Destination;
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < iterations; i++)
        {
            way(from, to, (nuint)size);
            Sum += CopyWays.Sum(to + size - _bytesRead, (nuint)_bytesRead);
        }

        return Clock.NanosecondsSince(start);
    }
}
