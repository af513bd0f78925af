using System.Globalization;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>What a server tells of itself.</summary>
/// <param name="Requests">The requests answered so far.</param>
/// <param name="ProcessorNanoseconds">The processor time used so far, of the program and of the system for it.</param>
/// <param name="AllocatedBytes">The bytes allocated so far.</param>
/// <param name="ResidentBytes">The memory of the process that is in RAM.</param>
/// <param name="InUseBytes">The pooled bytes in use; 0 for Kestrel's own pool.</param>
/// <param name="RetainedBytes">The pooled bytes kept idle; 0 for Kestrel's own pool.</param>
internal readonly record struct ServerCounters(
    long Requests, long ProcessorNanoseconds, long AllocatedBytes, long ResidentBytes, long InUseBytes, long RetainedBytes)
{
    public static ServerCounters Parse(string line)
    {
        long[] values = [.. line.Split(' ').Select(value => long.Parse(value, CultureInfo.InvariantCulture))];
        return new ServerCounters(values[0], values[1], values[2], values[3], values[4], values[5]);
    }
}
