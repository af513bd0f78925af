using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Copies;

/// <summary>One way to copy or clear; then, if asked, the destination is read.</summary>
internal sealed unsafe class CopyWayTrial(string name, CopyWays.Way way, CopyMemory memory, int size, bool reads)
    : Trial(name, operationsPerIteration: 1)
{
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
            if (reads)
            {
                Sum += CopyWays.Sum(to, (nuint)size);
            }
        }

        return Clock.NanosecondsSince(start);
    }
}
