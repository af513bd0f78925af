namespace Tarn;

/// <summary>What the machine or container has, and how full it is, as the garbage collector knows it: it honours cgroup limits.</summary>
internal static class MemoryPressure
{
    /// <summary>A pool keeps at most this share of the memory the process may use, unless its options say otherwise.</summary>
    private const int DefaultShare = 8;

    /// <summary>Above this share of the collector's own high-memory threshold, memory counts as scarce (as in the BCL's pools).</summary>
    private const double HighShare = 0.9;

    /// <summary>What the process may use, in bytes; asked once, as the limit is the process's.</summary>
    internal static long AvailableBytes { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>The default cap of a pool or heap, in bytes.</summary>
    internal static long DefaultRetainedBytes { get; } = Math.Max(1 << 20, AvailableBytes / DefaultShare);

    /// <summary>Whether the last collection found memory scarce; before the first collection there is no reading and it is not.</summary>
    internal static bool IsHigh
    {
        get
        {
            GCMemoryInfo info = GC.GetGCMemoryInfo();
            return info.HighMemoryLoadThresholdBytes > 0 && info.MemoryLoadBytes >= info.HighMemoryLoadThresholdBytes * HighShare;
        }
    }
}
