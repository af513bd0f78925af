using System.Globalization;

namespace Tarn.Tests.Support;

/// <summary>What the process really occupies, as the system counts it.</summary>
internal static class ResidentMemory
{
    private const string Counters = "/proc/self/statm";

    /// <summary>Whether the system says; elsewhere what depends on it is not tested.</summary>
    internal static bool IsKnown => File.Exists(Counters);

    /// <summary>Makes what earlier tests left go now, and not while a test counts.</summary>
    internal static void Settle()
    {
        BufferPool<byte>.Shared.Trim();
        for (int i = 0; i < 2; i++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }
    }

    /// <summary>Bytes resident now. Asking costs a few kilobytes itself.</summary>
    internal static long Bytes =>
        long.Parse(File.ReadAllText(Counters).Split(' ')[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;
}
