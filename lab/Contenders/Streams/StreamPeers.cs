#if SLIM
using KZDev.PerfUtils;
#endif
using System.Reflection;
using Microsoft.IO;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>
/// What ours is measured beside: the stream of the BCL and RecyclableMemoryStream always, MemoryStreamSlim in a build that was asked to
/// have it.
/// </summary>
internal static class StreamPeers
{
    private static readonly Type[] s_pooled =
    [
        typeof(RecyclableMemoryStream),
#if SLIM
        typeof(MemoryStreamSlim),
#endif
    ];

    /// <summary>Whether this build has every peer.</summary>
    public static bool AreAllBuilt =>
#if SLIM
        true;
#else
        false;
#endif

    /// <summary>The names of the peers that this build has, the BCL's first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Create(isSizeKnown: false).Select(peer => peer.Name)];

    /// <param name="isSizeKnown">They are told the size; their names say so.</param>
    /// <param name="zeroed">Those that can clear their memory when it goes back do.</param>
    public static IReadOnlyList<StreamContender> Create(bool isSizeKnown, bool zeroed = false) =>
    [
        isSizeKnown
            ? StreamContender.Of(StreamNames.Sized(StreamNames.Bcl), default(BclSizedStream))
            : StreamContender.Of(StreamNames.Bcl, default(BclStream)),
        CreateRecyclable(isSizeKnown, zeroed ? RecyclableManagers.Zeroing : RecyclableManagers.Plain),
#if SLIM
        SlimPeers.Create(isSizeKnown, zeroed),
#endif
    ];

    /// <summary>What the peers' pools hold is the collector's from now on; contenders made before keep theirs.</summary>
    public static void Release()
    {
        RecyclableManagers.Replace();
#if SLIM
        SlimPeers.Release();
#endif
    }

    /// <summary>Which versions of the pooled peers this build has.</summary>
    public static string DescribeBuilt()
    {
        IEnumerable<AssemblyName> assemblies = s_pooled.Select(type => type.Assembly.GetName());
        return string.Join(", ", assemblies.Select(name => $"{name.Name} {name.Version}"));
    }

    /// <summary>A sentence for the report: what was not measured and how to have it measured; empty when nothing is missing.</summary>
    public static string DescribeMissing() => AreAllBuilt
        ? ""
        : $" Not in this build, so not measured: {StreamNames.Slim}; docs/lab.md says how to build the lab with it.";

    private static StreamContender CreateRecyclable(bool isSizeKnown, RecyclableMemoryStreamManager manager) => isSizeKnown
        ? StreamContender.Of(StreamNames.Sized(StreamNames.Recyclable), new RecyclableSizedStream(manager))
        : StreamContender.Of(StreamNames.Recyclable, new RecyclableStream(manager));
}
