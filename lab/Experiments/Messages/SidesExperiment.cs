using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.SharedMemory;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages from threads of another process to threads of this one, where there are several of one kind or the other.</summary>
internal sealed class SidesExperiment : IExperiment
{
    private const string Group = "Messages of several writers and readers";
    private const int TargetSize = 64;

    public static readonly IReadOnlyList<int> Sizes = [16, TargetSize, 1 << 10, 64 << 10, MessageContents.LongestMessage];

    public required string Id { get; init; }

    public required string Title { get; init; }

    public double QuickSeconds => 10;

    public double FullSeconds => 120;

    /// <summary>Writers and readers; the first ones have one of each.</summary>
    public required IReadOnlyList<(int Writers, int Readers)> Sides { get; init; }

    /// <summary>Whether each message comes to all readers.</summary>
    public required bool IsTopic { get; init; }

    /// <summary>The copying form, and the one in place.</summary>
    public required IReadOnlyList<string> Ours { get; init; }

    /// <summary>The project's target: the sides and the nanoseconds for a message of 64 B.</summary>
    public required (int Writers, int Readers, double Nanoseconds, string Id, string Title) Target { get; init; }

    /// <summary>What a message meets.</summary>
    public required string Text { get; init; }

    /// <summary>Ten million messages a second from two writers.</summary>
    public static SidesExperiment Queue { get; } = new()
    {
        Id = "queue",
        Title = "Messages of many writers to many readers",
        Sides = [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (4, 4)],
        IsTopic = false,
        Ours = [MessageNames.Queue, MessageNames.QueueInPlace],
        Target = (2, 1, 1e9 / 10e6, "two-writers", "of two writers to one reader"),
        Text = "Each message comes to one of the readers; the sum of all numbers shows that each came once. SharedQueue copies the "
            + "message in and out; in place, the program writes and reads it in the queue. Pipes, sockets and a ring have one writer and "
            + "one reader.",
    };

    /// <summary>Eight million messages a second to each of two readers.</summary>
    public static SidesExperiment Topic { get; } = new()
    {
        Id = "topic",
        Title = "Messages of one writer to each of many readers",
        Sides = [(1, 1), (1, 2), (1, 4)],
        IsTopic = true,
        Ours = [MessageNames.Topic, MessageNames.TopicInPlace],
        Target = (1, 2, 1e9 / 8e6, "two-readers", "to each of two readers"),
        Text = "Each message comes to every reader, which verifies that none is missing: in a SharedTopic, all hold the writer back. "
            + "SharedTopic copies the message in and out; in place, the program writes and reads it in the topic. Of pipes, sockets, rings "
            + "and channels there is one to each reader: the writer copies each message into all of them, or passes the same array.",
    };

    public ExperimentResult Run(ExperimentContext context)
    {
        using MessagePeer peer = new();
        (MessageTraffic Traffic, IReadOnlyList<string> Names)[] all =
        [
            .. Sides.SelectMany(sides => Sizes.Where(size => context.IsFull || sides == (1, 1) || size == TargetSize).Select(
                size => new MessageTraffic(sides.Writers, sides.Readers, size, IsTopic))).Select(traffic => (traffic, NamesFor(traffic))),
        ];
        WarmUpWith(peer, all.First(static one => one.Traffic.Length == TargetSize));
        List<SidesSamples> measured = [];
        foreach ((MessageTraffic traffic, IReadOnlyList<string> names) in all)
        {
            using MessageRoutes routes = new(peer, names, traffic);
            measured.Add(new(traffic, PairedRounds.Measure(Trials(routes), RoundsOf(context), context.CreateRandom())));
            context.Report((double)measured.Count / all.Length);
        }

        return ToResult(measured);
    }

    /// <summary>The contenders that can carry the traffic.</summary>
    internal IReadOnlyList<string> NamesFor(MessageTraffic traffic) =>
    [
        .. Ours,
        .. traffic.IsSimple ? [MessageNames.Ring, .. MessageNames.Peers] : (string[])[],
        MessageNames.Channel,
        .. MessageNames.Libraries.Where(name => MessageNames.CanCarry(name, traffic)),
    ];

    /// <param name="measured">Nanoseconds for a message.</param>
    internal ExperimentResult ToResult(IReadOnlyList<SidesSamples> measured) => new(Describe(measured))
    {
        Comparisons =
        [
            .. measured.SelectMany(one => one.Samples.CompareWith(
                Ours[0],
                [.. MessageNames.Peers, MessageNames.Channel, .. MessageNames.Libraries],
                $"{Id}-{one.Traffic.Writers}-{one.Traffic.Readers}-{ByteSize.Id(one.Traffic.Length)}",
                Group,
                $"{ByteSize.Text(one.Traffic.Length)}, {one.Traffic}, time for a message",
                _ => null)),
        ],
        Figures =
        [
            .. measured.Where(one => one.Traffic is { Length: TargetSize, Writers: var writers, Readers: var readers }
                && (writers, readers) == (Target.Writers, Target.Readers)).Select(one => new Figure
                {
                    Id = $"{Id}-{Target.Id}",
                    Title = $"Time for a message of {ByteSize.Text(TargetSize)} {Target.Title}",
                    Value = one.Samples.Median(one.Samples.IndexOf(Ours[0])),
                    Unit = "ns",
                    Bound = Target.Nanoseconds,
                }),
        ],
    };

    private static RoundSettings RoundsOf(ExperimentContext context) =>
        context.IsFull ? new(25, TimeSpan.FromMilliseconds(20)) : new(7, TimeSpan.FromMilliseconds(5));

    private static void WarmUpWith(MessagePeer peer, (MessageTraffic Traffic, IReadOnlyList<string> Names) some)
    {
        using MessageRoutes routes = new(peer, some.Names, some.Traffic);
        WarmUp.Run(Trials(routes));
    }

    private static Trial[] Trials(MessageRoutes routes) =>
        [.. routes.Contenders.Select((_, contender) => new MessagesSent(routes, contender))];

    private Section Describe(IReadOnlyList<SidesSamples> measured) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Threads of another process send messages to threads of this one, each with an object of its own, as processes have. "
            + "Writers write all bytes of a message, and readers read and verify all of them. " + Text + " A channel passes references "
            + "between threads of one process: each message is an array of its own. One writer and one reader are bound to processors of "
            + "their own. More threads are not, and those that do not fit on the processors take turns, which is part of the time. Time "
            + "for a message is the mean over many, from before the first is written until the last is verified.",
        Tables =
        [
            .. measured.GroupBy(static one => one.Traffic.ToString()).Select(group => new Table
            {
                Id = $"{Id}-times-{group.First().Traffic.Writers}-{group.First().Traffic.Readers}",
                Title = $"Time for a message, {SidesText(group.First().Traffic)}",
                Columns =
                [
                    new Column("Size", ColumnKind.Bytes),
                    .. ColumnsOf(group).Select(static name => new Column(name, ColumnKind.Nanoseconds)),
                ],
                Rows =
                [
                    .. group.Select(one => (IReadOnlyList<object?>)[
                        (double)one.Traffic.Length, .. ColumnsOf(group).Select(name => (object?)one.MedianOf(name))]),
                ],
            }),
        ],
    };

    private static string SidesText(MessageTraffic traffic) => $"{Count(traffic.Writers, "writer")}, {Count(traffic.Readers, "reader")}";

    private static string Count(int number, string what) => number == 1 ? $"1 {what}" : $"{number} {what}s";

    private static string[] ColumnsOf(IEnumerable<SidesSamples> some) =>
        [.. some.SelectMany(static one => one.Samples.Contenders).Distinct()];
}

/// <summary>Nanoseconds for a message of one traffic.</summary>
internal sealed record SidesSamples(MessageTraffic Traffic, RoundSamples Samples)
{
    public double? MedianOf(string contender) => Samples.IndexOf(contender) is >= 0 and var index ? Samples.Median(index) : null;
}
