using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Claims;

/// <summary>The claims about messages between processes.</summary>
internal static class RingClaims
{
    private static readonly string[] s_small = ["16b", "64b", "100b", "256b", "1kib"];
    private static readonly string[] s_kinds = ["ring", "queue", "topic"];
    private static readonly string[] s_oneWay = [.. OneWayMeasurements.Sizes.Select(static size => ByteSize.Id(size))];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "ring-time",
            Sentence = "A message of 64 bytes from one process to another takes {0} while both are busy.",
            Experiment = "ring",
            Evidence = ["ring-time"],
            Bound = 40,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "ring-pipe",
            Sentence = "Messages of 16 B to 1 KiB are at least {0} times as fast as through a pipe.",
            Experiment = "ring",
            Evidence = [.. s_small.Select(size => $"ring-{size}-anonymous-pipe")],
            Bound = 0.6,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "ring-latency",
            Sentence = "There and back between two processors they are at least {0} times as fast as through a pipe.",
            Experiment = "ring",
            Evidence = [.. s_small.Select(size => $"ring-latency-{size}-anonymous-pipe")],
            Bound = 0.1,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "one-way",
            Sentence = "From publishing a message of 16 B to 4 MiB in a ring until the other process sees it, it takes {0}.",
            Experiment = "one-way",
            Evidence = [.. s_oneWay.Select(size => $"one-way-seen-ring-{size}")],
            Bound = 100,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "one-way-many",
            Sentence = "In a queue or a topic, it takes {0}.",
            Experiment = "one-way",
            Evidence = [.. s_kinds.Skip(1).SelectMany(kind => s_oneWay.Select(size => $"one-way-seen-{kind}-{size}"))],
            Bound = 100,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "one-way-awaited",
            Sentence = "To a process that sleeps, an awaited message takes at most {0} of the time of one that a call waits for.",
            Experiment = "one-way",
            Evidence = [.. s_kinds.Select(kind => $"one-way-awaited-{kind}")],
            Bound = 1.3,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "one-way-inline",
            Sentence = "A task that continues on the thread that waits takes at most {0}.",
            Experiment = "one-way",
            Evidence = [.. s_kinds.Select(kind => $"one-way-inline-{kind}")],
            Bound = 1.3,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "queue-two-writers",
            Sentence = "A message of 64 bytes of two writers to one reader takes {0}.",
            Experiment = "queue",
            Evidence = ["queue-two-writers"],
            Bound = 1e9 / 10e6,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "topic-two-readers",
            Sentence = "A message of 64 bytes to each of two readers takes {0}.",
            Experiment = "topic",
            Evidence = ["topic-two-readers"],
            Bound = 1e9 / 8e6,
            Style = FigureStyle.Nanoseconds,
        },
    ];
}
