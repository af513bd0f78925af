using KZDev.PerfUtils;
using Microsoft.IO;

namespace Tarn.Lab.Contenders.Streams;

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

    /// <summary>Names and versions of the assemblies.</summary>
    public static string Describe() =>
        string.Join(", ", new[] { typeof(RecyclableMemoryStream), typeof(MemoryStreamSlim) }.Select(type => type.Assembly.GetName()).Select(name => $"{name.Name} {name.Version}"));

    /// <summary>What the pools of others hold is the collector's, as far as they let go of it; contenders made before keep theirs.</summary>
    public static void Release()
    {
        RecyclableManagers.Replace();
        MemoryStreamSlim.ReleaseMemoryBuffers();
    }
}
