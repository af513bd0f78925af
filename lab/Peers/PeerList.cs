using CommunityToolkit.HighPerformance.Buffers;
using DotNext.Buffers;
using Microsoft.IO;
using Nerdbank.Streams;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Contenders.Streams;

namespace Tarn.Lab.Peers;

/// <summary>Every peer that has a version of its own, and which version this process measures.</summary>
internal static class PeerList
{
    public static IReadOnlyList<Peer> All { get; } =
    [
        Peer.Of(
            "RecyclableMemoryStream",
            typeof(RecyclableMemoryStream),
            StreamNames.Recyclable,
            StreamNames.Sized(StreamNames.Recyclable)),
        new("MemoryStreamSlim", [StreamNames.Slim, StreamNames.Sized(StreamNames.Slim)], "KZDev.PerfUtils", () => StreamPeers.SlimVersion),
        Peer.Of(
            "CommunityToolkit.HighPerformance",
            typeof(ArrayPoolBufferWriter<byte>),
            WriterNames.Toolkit,
            PoolNames.ToolkitSpanOwner,
            PoolNames.ToolkitMemoryOwner),
        Peer.Of("Nerdbank.Streams", typeof(Sequence<byte>), WriterNames.Nerdbank),
        Peer.Of("DotNext", typeof(SparseBufferWriter<byte>), WriterNames.DotNext, PoolNames.DotNextMemoryOwner),
        Peer.Of(MessageNames.Interprocess, "Cloudtoid.Interprocess", MessageNames.InterprocessAssembly),
        Peer.Of(MessageNames.Disruptor, "Disruptor", MessageNames.DisruptorAssembly),
        new(NativeNames.Mimalloc, [NativeNames.Mimalloc], null, NativeVersions.OfMimalloc),
        new(NativeNames.Jemalloc, [NativeNames.Jemalloc], null, NativeVersions.OfJemalloc),
        new(NativeNames.Tcmalloc, [NativeNames.Tcmalloc], null, NativeVersions.OfTcmalloc),
        new(NativeNames.CLibrary, [NativeNames.CLibrary, NativeNames.NativeMemory], null, NativeVersions.OfCLibrary),
        Peer.Unversioned(NativeNames.Snmalloc, () => NativePeers.Snmalloc.IsPresent),
        Peer.Unversioned(NativeNames.GoogleTcmalloc, () => NativePeers.GoogleTcmalloc.IsPresent),
        Peer.Unversioned(NativeNames.Flowtide, () => NativeContenders.HasFlowtide),
    ];

    /// <summary>The versions in this process, as reports state them: <c>DotNext 6.12.0, jemalloc 5.3.0</c>.</summary>
    public static string Describe() =>
        string.Join(", ", All.Select(peer => (peer.Name, Version: peer.ReadVersion())).Where(peer => peer.Version is not null)
            .Select(peer => $"{peer.Name} {peer.Version}"));
}
