using KZDev.PerfUtils;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>MemoryStreamSlim, in a build that has it.</summary>
internal static class SlimPeers
{
    /// <param name="isSizeKnown">Whether the stream receives the size, which its name then states.</param>
    /// <param name="zeroed">Memory is cleared when it goes back.</param>
    public static StreamContender Create(bool isSizeKnown, bool zeroed)
    {
        var options = new MemoryStreamSlimOptions
        {
            ZeroBufferBehavior = zeroed ? MemoryStreamSlimZeroBufferOption.OnRelease : MemoryStreamSlimZeroBufferOption.None,
        };
        return isSizeKnown
            ? StreamContender.Of(StreamNames.Sized(StreamNames.Slim), new SlimSizedStream(options))
            : StreamContender.Of(StreamNames.Slim, new SlimStream(options));
    }

    /// <summary>Makes the pool of the process release its memory. Streams created before keep theirs.</summary>
    public static void Release() => MemoryStreamSlim.ReleaseMemoryBuffers();
}
