using Tarn.Lab.Replay;

namespace Tarn.Lab.Claims;

/// <summary>The claims about the slowest calls, and about calls that meet other threads.</summary>
internal static class TailClaims
{
    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "tails-rent",
            Sentence = "Under load, the 99.9th percentile of a rent or a return is at most {0} of that of `ArrayPool<byte>.Shared`.",
            Experiment = "tails",
            Evidence = ["tails-rent-arraypool-shared", "tails-return-arraypool-shared"],
            Bound = 2.5,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "tails-allocate",
            Sentence = "The 99.9th percentile of an allocation or a free is at most {0} of that of mimalloc.",
            Experiment = "tails",
            Evidence = ["tails-allocate-mimalloc", "tails-free-mimalloc"],
            Bound = 3,
            Style = FigureStyle.Ratio,
            NeedsPeer = true,
        },
        new()
        {
            Id = "tails-stream",
            Sentence = "The 99.9th percentile of a stream of 4 KiB is at most {0} of that of RecyclableMemoryStream.",
            Experiment = "tails",
            Evidence = ["tails-stream-recyclablememorystream", "tails-stream-disturbed-recyclablememorystream"],
            Bound = 1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "tails-message",
            Sentence = "The 99.9th percentile of a message, written and read on one thread, is at least {0} times as short as that of a "
                + "pipe.",
            Experiment = "tails",
            Evidence = ["tails-message-anonymous-pipe"],
            Bound = 0.25,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "scale-arrays",
            Sentence = "While recorded programs are replayed on some 64 threads, at most {0} of the pool's calls take its busiest lock;",
            Experiment = "scale",
            Evidence = [.. TraceLibrary.Names.Select(name => "scale-arrays-" + name)],
            Bound = 0.1,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "scale-blocks",
            Sentence = "of the heap's calls, at most {0}.",
            Experiment = "scale",
            Evidence = [.. TraceLibrary.Names.Select(name => "scale-blocks-" + name)],
            Bound = 0.1,
            Style = FigureStyle.Percent,
        },
    ];
}
