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
            Sentence = "The time that one rent or return in a thousand exceeds under load is at most {0} of that of "
                + "`ArrayPool<byte>.Shared`.",
            Experiment = "tails",
            Evidence = ["tails-rent-arraypool-shared", "tails-return-arraypool-shared"],
            Bound = 2.5,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "tails-allocate",
            Sentence = "The time that one allocation or free in a thousand exceeds is at most {0} of that of mimalloc.",
            Experiment = "tails",
            Evidence = ["tails-allocate-mimalloc", "tails-free-mimalloc"],
            Bound = 3,
            Style = FigureStyle.Ratio,
            NeedsPeer = true,
        },
        new()
        {
            Id = "tails-stream",
            Sentence = "The time that one stream of 4 KiB in a thousand exceeds is at most {0} of that of RecyclableMemoryStream.",
            Experiment = "tails",
            Evidence = ["tails-stream-recyclablememorystream", "tails-stream-disturbed-recyclablememorystream"],
            Bound = 1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "tails-message",
            Sentence = "The time that one message in a thousand exceeds, written and read on one thread, is at least {0} times as short as "
                + "through a pipe.",
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
