using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>All measurements of the experiment: single messages, none of which waits behind another.</summary>
/// <param name="Whole">Nanoseconds from before a message is written until it is verified, both processes awake; by size.</param>
/// <param name="Seen">Nanoseconds from publishing a message until its first bytes are seen, both processes awake; by size.</param>
/// <param name="Asleep">As Whole with <see cref="FewSize"/>, each message to readers that sleep; by the number of readers.</param>
internal sealed record OneWayMeasurements(
    IReadOnlyList<LatencyRounds> Whole, IReadOnlyList<LatencyRounds> Seen, IReadOnlyList<LatencyRounds> Asleep)
{
    /// <summary>Bytes of messages that are measured in one size only.</summary>
    public const int FewSize = 64;

    /// <summary>The shares of the time that sleeping takes, for the progress.</summary>
    private const double ShareAsleep = 0.4;

    public static readonly IReadOnlyList<int> Sizes = SidesExperiment.Sizes;

    /// <summary>Of messages to readers that sleep.</summary>
    public static readonly IReadOnlyList<int> Readers = [1, 2, 4];

    /// <summary>Where a message is written and read in place.</summary>
    private static readonly string[] s_inPlace =
        [MessageNames.RingInPlace, MessageNames.QueueInPlace, MessageNames.TopicInPlace, MessageNames.Disruptor, MessageNames.Word];

    private static readonly string[] s_waiting =
    [
        MessageNames.RingInPlace, MessageNames.RingAwaited, MessageNames.RingInline,
        MessageNames.QueueInPlace, MessageNames.QueueAwaited, MessageNames.QueueInline,
        MessageNames.TopicInPlace, MessageNames.TopicAwaited, MessageNames.TopicInline,
        .. MessageNames.Peers, MessageNames.Channel, MessageNames.ChannelAwaited,
    ];

    private static readonly string[] s_waitingTogether =
        [MessageNames.TopicInPlace, MessageNames.TopicAwaited, .. MessageNames.Peers, MessageNames.Channel];

    public static OneWayMeasurements Take(ExperimentContext context)
    {
        Random random = context.CreateRandom();
        using MessagePeer peer = new();
        using (MessageRoutes few = new(peer, NamesOf(TrafficOf(FewSize)), TrafficOf(FewSize)))
        {
            WarmUp.Run([.. Trials(few, isAsleep: false, isPrepared: false), .. Trials(few, isAsleep: false, isPrepared: true)]);
        }

        List<LatencyRounds> whole = [];
        List<LatencyRounds> seen = [];
        foreach (int size in Sizes)
        {
            using MessageRoutes routes = new(peer, NamesOf(TrafficOf(size)), TrafficOf(size));
            RoundSettings rounds = context.IsFull ? new(21, default) : new(5, default);
            int count = CountOf(size, context.IsFull);
            whole.Add(LatencyRounds.Measure(Trials(routes, isAsleep: false, isPrepared: false), rounds, _ => count, random));
            seen.Add(LatencyRounds.Measure(
                Trials(routes, isAsleep: false, isPrepared: true), rounds, _ => CountOf(FewSize, context.IsFull), random));
            context.Report((1 - ShareAsleep) * whole.Count / Sizes.Count);
        }

        List<LatencyRounds> asleep = [];
        foreach (int readers in Readers)
        {
            MessageTraffic traffic = new(1, readers, FewSize, IsTopic: readers > 1);
            using MessageRoutes routes = new(peer, readers == 1 ? [.. s_waiting, .. Sleeping] : s_waitingTogether, traffic);
            asleep.Add(LatencyRounds.Measure(
                Trials(routes, isAsleep: true, isPrepared: false),
                context.IsFull ? new(15, default) : new(3, default),
                _ => context.IsFull ? 200 : 30,
                random));
            context.Report(1 - ShareAsleep + (ShareAsleep * asleep.Count / Readers.Count));
        }

        return new OneWayMeasurements(whole, seen, asleep);
    }

    /// <summary>The libraries of others that wait by sleeping.</summary>
    private static IEnumerable<string> Sleeping => MessageNames.Libraries.Where(static name => name != MessageNames.Disruptor);

    private static MessageTraffic TrafficOf(int size) => new(1, 1, size);

    private static IReadOnlyList<string> NamesOf(MessageTraffic traffic) =>
    [
        MessageNames.Ring, MessageNames.RingInPlace, MessageNames.Queue, MessageNames.QueueInPlace, MessageNames.Topic,
        MessageNames.TopicInPlace, .. MessageNames.Peers, MessageNames.Channel,
        .. MessageNames.Libraries.Where(name => MessageNames.CanCarry(name, traffic)),
        MessageNames.Word,
    ];

    /// <summary>Enough for a 99.9th percentile, unless messages are so long that this takes seconds.</summary>
    private static int CountOf(int size, bool isFull) => size switch
    {
        > 64 << 10 => isFull ? 50 : 10,
        > 1 << 10 => isFull ? 2_000 : 500,
        _ => isFull ? 10_000 : 1_000,
    };

    private static LatencyTrial[] Trials(MessageRoutes routes, bool isAsleep, bool isPrepared) =>
    [
        .. routes.Contenders.Select((name, contender) => (name, contender))
            .Where(one => !isPrepared || s_inPlace.Contains(one.name))
            .Select(one => new MessagesTimed(routes, one.contender, isAsleep, isPrepared)),
    ];
}
