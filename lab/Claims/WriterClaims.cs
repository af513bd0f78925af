namespace Tarn.Lab.Claims;

/// <summary>The claims about buffer writers, counted buffers and budgets.</summary>
internal static class WriterClaims
{
    private const string Array = "arraybufferwriter";

    private static readonly string[] s_pooled = ["arraypoolbufferwriter", "sequence", "sparsebufferwriter", "recyclablememorystream"];
    private static readonly string[] s_sizes = ["256b", "4kib", "64kib", "1mib"];
    private static readonly string[] s_largeSizes = ["4kib", "64kib", "1mib"];
    private static readonly string[] s_ours = ["pooledwriter", "pooledwriter-native", "sequencebuilder"];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "writers-small",
            Sentence = "A message of 256 B to 1 MiB, written in pieces of 1 or 16 bytes, takes a `PooledWriter<byte>` at most {0} of the "
                + "time of ArrayPoolBufferWriter, Sequence, SparseBufferWriter and RecyclableMemoryStream;",
            Experiment = "writers",
            Evidence = [.. s_pooled.SelectMany(peer => Against(peer, "1b", s_sizes).Concat(Against(peer, "16b", s_sizes)))],
            Bound = 0.75,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "writers-copied",
            Sentence = "in pieces of 4 KiB, whose copies take the time, at most {0}.",
            Experiment = "writers",
            Evidence = [.. s_pooled.SelectMany(peer => Against(peer, "4kib", s_largeSizes))],
            Bound = 1.3,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "writers-array-byte",
            Sentence = "In single bytes it takes at most {0} of the time of an `ArrayBufferWriter<byte>` that keeps its array,",
            Experiment = "writers",
            Evidence = [.. Against(Array, "1b", s_sizes)],
            Bound = 0.8,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "writers-array",
            Sentence = "and in pieces of 16 B or 4 KiB at most {0}.",
            Experiment = "writers",
            Evidence = [.. Against(Array, "16b", s_sizes), .. Against(Array, "4kib", s_largeSizes)],
            Bound = 1.1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "writers-json",
            Sentence = "Through `Utf8JsonWriter`, which takes most of the time itself, it is at most {0} of each of them.",
            Experiment = "writers",
            Evidence = [.. s_pooled.Append(Array).SelectMany(peer => s_sizes.Select(size => $"writers-json-{size}-{peer}"))],
            Bound = 1.1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "writers-allocated",
            Sentence = "A message through a writer that is used again allocates {0} bytes.",
            Experiment = "writers",
            Evidence = [.. s_ours.Select(writer => "writers-allocated-" + writer)],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "slices-pair",
            Sentence = "A slice taken and disposed on the thread that rented its buffer takes {0},",
            Experiment = "slices",
            Evidence = ["slices-pair"],
            Bound = 20,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "slices-pair-passed",
            Sentence = "and {0} once another thread disposed a slice of it;",
            Experiment = "slices",
            Evidence = ["slices-pair-passed"],
            Bound = 60,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "slices-allocated",
            Sentence = "neither it nor one of 10,000 slices of a message allocates more than {0} bytes.",
            Experiment = "slices",
            Evidence = ["slices-allocated", "slices-broadcast-allocated"],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "budgets-grant",
            Sentence = "A grant of a child that need not wait, and its return, take at most {0}, awaited or not,",
            Experiment = "budgets",
            Evidence = ["budgets-grant", "budgets-grant-awaited"],
            Bound = 30,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "budgets-allocated",
            Sentence = "and allocate {0} bytes.",
            Experiment = "budgets",
            Evidence = ["budgets-allocated"],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "budgets-waiter",
            Sentence = "Of 10,000 requests that wait, each is served in {0};",
            Experiment = "budgets",
            Evidence = ["budgets-waiter"],
            Bound = 1000,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "budgets-order",
            Sentence = "{0} of them were passed by a later one.",
            Experiment = "budgets",
            Evidence = ["budgets-out-of-order"],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
    ];

    /// <summary>The comparisons with a peer in pieces of one length.</summary>
    private static IEnumerable<string> Against(string peer, string piece, string[] sizes) =>
        sizes.Select(size => $"writers-{piece}-{size}-{peer}");
}
