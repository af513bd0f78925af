namespace Tarn.Lab.Contenders.Streams;

/// <summary>What ours is measured beside: the stream of the BCL always, the pooled ones of others in a build that was asked to have them.</summary>
internal static class StreamPeers
{
    /// <summary>Whether this build has RecyclableMemoryStream and MemoryStreamSlim.</summary>
    public static bool AreBuilt =>
#if PEERS
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
#if PEERS
        .. BuiltStreamPeers.Create(isSizeKnown, zeroed),
#endif
    ];

    /// <summary>What the peers' pools hold is the collector's from now on.</summary>
    public static void Release()
    {
#if PEERS
        BuiltStreamPeers.Release();
#endif
    }

    /// <summary>Which versions of the pooled peers this build has.</summary>
    public static string DescribeBuilt() =>
#if PEERS
        BuiltStreamPeers.Describe();
#else
        "none";
#endif

    /// <summary>A sentence for the report: what was not measured and how to have it measured; empty when nothing is missing.</summary>
    public static string DescribeMissing() => AreBuilt
        ? ""
        : $" Not in this build, so not measured: {StreamNames.Recyclable}, {StreamNames.Slim}; build the lab with -p:Peers=true to have them.";
}
