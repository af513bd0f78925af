using Microsoft.IO;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>Managers with the settings of the MemoryStreamSlim document.</summary>
internal static class RecyclableManagers
{
    public const string Tag = "benchmark";
    private const int MaximumBufferSize = 512 << 20;

    /// <summary>
    /// One manager for each of the two settings, for all streams of a measurement. The document's own harness replaces some of them before
    /// each stream, so that their pools are empty. That is not measured here.
    /// </summary>
    public static RecyclableMemoryStreamManager Plain { get; private set; } = Create(zeroed: false);

    public static RecyclableMemoryStreamManager Clearing { get; private set; } = Create(zeroed: true);

    /// <summary>Replaces the managers, because a manager never returns memory by itself.</summary>
    public static void Replace()
    {
        Plain = Create(zeroed: false);
        Clearing = Create(zeroed: true);
    }

    private static RecyclableMemoryStreamManager Create(bool zeroed) => new(new RecyclableMemoryStreamManager.Options
    {
        MaximumBufferSize = MaximumBufferSize,
        UseExponentialLargeBuffer = false,
        ZeroOutBuffer = zeroed,
    });
}
