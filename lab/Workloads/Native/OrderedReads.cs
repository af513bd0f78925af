using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Copies;

namespace Tarn.Lab.Workloads.Native;

/// <summary>One pass over memory in the order of its addresses.</summary>
internal unsafe struct OrderedReads(byte* memory, int size) : IWork
{
    private long _sum;

    public void Once() => _sum += CopyWays.Sum(memory, (nuint)size);
}
