using KZDev.PerfUtils;

namespace Tarn.Lab.Contenders;

/// <summary>The pooled streams of others, in a build that has them.</summary>
internal static class BuiltStreamPeers
{
    public static IReadOnlyList<StreamContender> Create(bool isSizeKnown, bool zeroed)
    {
        var manager = zeroed ? RecyclableManagers.Zeroing : RecyclableManagers.Plain;
        var options = new MemoryStreamSlimOptions { ZeroBufferBehavior = zeroed ? MemoryStreamSlimZeroBufferOption.OnRelease : MemoryStreamSlimZeroBufferOption.None };
        return isSizeKnown
            ?
            [
                StreamContender.Of(StreamNames.Sized(StreamNames.Recyclable), new RecyclableSizedStream(manager)),
                StreamContender.Of(StreamNames.Sized(StreamNames.Slim), new SlimSizedStream(options)),
            ]
            :
            [
                StreamContender.Of(StreamNames.Recyclable, new RecyclableStream(manager)),
                StreamContender.Of(StreamNames.Slim, new SlimStream(options)),
            ];
    }

    /// <summary>What the pools of others hold is the collector's, as far as they let go of it; contenders made before keep theirs.</summary>
    public static void Release()
    {
        RecyclableManagers.Replace();
        MemoryStreamSlim.ReleaseMemoryBuffers();
    }
}
