#if SLIM
using KZDev.PerfUtils;
#endif
using Microsoft.IO;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>
/// The peers of our stream: the stream of the BCL and RecyclableMemoryStream always, MemoryStreamSlim in a build that requests it.
/// </summary>
internal static class StreamPeers
{
    /// <summary>Whether this build has every peer.</summary>
    public static bool AreAllBuilt =>
#if SLIM
        true;
#else
        false;
#endif

    /// <summary>The names of the peers that this build has, the BCL's first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Create(isSizeKnown: false).Select(peer => peer.Name)];

    /// <param name="isSizeKnown">Whether they receive the size, which their names then state.</param>
    /// <param name="zeroed">Whether those that can clear their memory do so when it goes back.</param>
    public static IReadOnlyList<StreamContender> Create(bool isSizeKnown, bool zeroed = false) =>
    [
        isSizeKnown
            ? StreamContender.Of(StreamNames.Sized(StreamNames.Bcl), default(BclSizedStream))
            : StreamContender.Of(StreamNames.Bcl, default(BclStream)),
        CreateRecyclable(isSizeKnown, zeroed ? RecyclableManagers.Clearing : RecyclableManagers.Plain),
#if SLIM
        SlimPeers.Create(isSizeKnown, zeroed),
#endif
    ];

    /// <summary>Drops the peers' pools. Contenders created before keep theirs.</summary>
    public static void Release()
    {
        RecyclableManagers.Replace();
#if SLIM
        SlimPeers.Release();
#endif
    }

    /// <summary>The version of MemoryStreamSlim; null in a build without it.</summary>
    public static string? SlimVersion =>
#if SLIM
        typeof(MemoryStreamSlim).Assembly.GetName().Version?.ToString(3);
#else
        null;
#endif

    /// <summary>A sentence for the report that names the unmeasured peers and how to add them; empty if none is missing.</summary>
    public static string DescribeMissing() => AreAllBuilt
        ? ""
        : $" Not in this build, so not measured: {StreamNames.Slim}; docs/lab.md explains how to build the lab with it.";

    private static StreamContender CreateRecyclable(bool isSizeKnown, RecyclableMemoryStreamManager manager) => isSizeKnown
        ? StreamContender.Of(StreamNames.Sized(StreamNames.Recyclable), new RecyclableSizedStream(manager))
        : StreamContender.Of(StreamNames.Recyclable, new RecyclableStream(manager));
}
