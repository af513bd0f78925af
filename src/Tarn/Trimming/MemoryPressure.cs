namespace Tarn;

/// <summary>
/// The memory of the machine or container and its load, as the garbage collector reports them. The collector respects cgroup limits.
/// </summary>
internal static class MemoryPressure
{
    /// <summary>A pool may keep one part in this many of the process's memory limit, by default.</summary>
    private const int DefaultDivisor = 8;

    /// <summary>Above this share of the collector's own high-memory threshold, memory counts as scarce (as in the BCL's pools).</summary>
    private const double HighShare = 0.9;

    /// <summary>The memory that the process may use, in bytes. Read once, because the limit applies to the whole process.</summary>
    internal static long AvailableBytes { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>The default cap of a pool or heap, in bytes.</summary>
    internal static long DefaultRetainedBytes { get; } = Math.Max(1 << 20, AvailableBytes / DefaultDivisor);

    /// <summary>Whether the last collection found memory scarce; false before the first collection.</summary>
    internal static bool IsHigh
    {
        get
        {
            GCMemoryInfo info = GC.GetGCMemoryInfo();
            return info.HighMemoryLoadThresholdBytes > 0 && info.MemoryLoadBytes >= info.HighMemoryLoadThresholdBytes * HighShare;
        }
    }
}
