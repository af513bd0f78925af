namespace Tarn.Lab.Claims;

/// <summary>The claims about pooled streams.</summary>
internal static class StreamClaims
{
    private static readonly string[] s_smallStreams = ["256b", "1kib", "4kib"];
    private static readonly string[] s_middleStreams = ["128kib", "960kib"];
    private static readonly string[] s_piecedStreams = ["16kib", "128kib", "960kib", "16mib"];
    private static readonly string[] s_pooled = ["recyclablememorystream", "memorystreamslim"];

    /// <summary>Written at once, and in pieces of 4 KiB.</summary>
    private static readonly string[] s_ways = ["bulk", "4kib"];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "stream-small",
            Sentence = "A stream of 256 B to 4 KiB, made, written, read and disposed, takes at most {0} of the time of a `MemoryStream`.",
            Experiment = "streams",
            Evidence = [.. s_smallStreams.Select(size => $"streams-bulk-{size}-memorystream")],
            Bound = 1.0,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "stream-small-peers",
            Sentence = "and at most {0} of the time of RecyclableMemoryStream and of MemoryStreamSlim.",
            Experiment = "streams",
            Evidence = [.. s_smallStreams.SelectMany(size => s_pooled.Select(peer => $"streams-bulk-{size}-{peer}"))],
            Bound = 0.5,
            Style = FigureStyle.Ratio,
            NeedsPeer = true,
        },
        new()
        {
            Id = "stream-pieces",
            Sentence = "Written and read in pieces of 4 KiB, one of 16 KiB to 16 MiB takes at most {0} of the time of a `MemoryStream`.",
            Experiment = "streams",
            Evidence = [.. s_piecedStreams.Select(size => $"streams-4kib-{size}-memorystream")],
            Bound = 0.5,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "stream-middle",
            Sentence = "A stream of 128 KiB or 960 KiB, written at once or in pieces of 4 KiB and read, takes at most {0} of the time of "
                + "RecyclableMemoryStream,",
            Experiment = "streams",
            Evidence = [.. s_middleStreams.SelectMany(size => s_ways.Select(way => $"streams-{way}-{size}-recyclablememorystream"))],
            Bound = 0.92,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "stream-large",
            Sentence = "and one of 16 MiB at most {0}.",
            Experiment = "streams",
            Evidence = [.. s_ways.Select(way => $"streams-{way}-16mib-recyclablememorystream")],
            Bound = 0.85,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "stream-allocated",
            Sentence = "A stream of up to 16 KiB allocates {0} bytes.",
            Experiment = "streams",
            Evidence = [.. s_smallStreams.Append("16kib").Select(size => $"streams-allocated-{size}")],
            Bound = 136,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "stream-allocated-large",
            Sentence = "One of 200 MiB whose size is not known allocates {0} bytes.",
            Experiment = "streams",
            Evidence = ["streams-allocated-200mib"],
            Bound = 8 << 10,
            Style = FigureStyle.Bytes,
        },
    ];
}
