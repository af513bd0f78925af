using Microsoft.IO;

namespace Tarn.Lab.Contenders;

/// <summary>Managers with the settings of the MemoryStreamSlim document.</summary>
internal static class RecyclableManagers
{
    public const string Tag = "benchmark";
    private const int MaximumBufferSize = 512 << 20;

    /// <summary>
    /// One manager for each of the two settings, for as long as the process runs. The document's own harness replaces some of them before
    /// each stream, whose pools are then empty: that is not measured here.
    /// </summary>
    public static RecyclableMemoryStreamManager Plain { get; } = Create(zeroed: false);

    public static RecyclableMemoryStreamManager Zeroing { get; } = Create(zeroed: true);

    private static RecyclableMemoryStreamManager Create(bool zeroed) => new(new RecyclableMemoryStreamManager.Options
    {
        MaximumBufferSize = MaximumBufferSize,
        UseExponentialLargeBuffer = false,
        ZeroOutBuffer = zeroed,
    });
}
