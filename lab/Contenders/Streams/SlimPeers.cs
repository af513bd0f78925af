using KZDev.PerfUtils;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>MemoryStreamSlim, in a build that has it.</summary>
internal static class SlimPeers
{
    /// <param name="isSizeKnown">The stream is told the size; its name says so.</param>
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

    /// <summary>The pool of the process lets go of what it can; streams made before keep theirs.</summary>
    public static void Release() => MemoryStreamSlim.ReleaseMemoryBuffers();
}
