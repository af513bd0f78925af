using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Running;
using Tarn.SharedMemory;

namespace Tarn.Lab.Tests.Experiments;

/// <summary>Both processes are real ones; each verifies number, length and bytes of every message it gets.</summary>
public class MessageRoutesTests
{
    public static TheoryData<string> Simple =>
    [
        MessageNames.Ring, MessageNames.RingInPlace, MessageNames.RingAwaited, MessageNames.RingInline,
        MessageNames.Queue, MessageNames.QueueInPlace, MessageNames.QueueAwaited, MessageNames.QueueInline,
        MessageNames.Topic, MessageNames.TopicInPlace, MessageNames.TopicAwaited, MessageNames.TopicInline,
        MessageNames.Pipe, MessageNames.UnixSocket, MessageNames.Tcp, MessageNames.Channel, MessageNames.ChannelAwaited, MessageNames.Word,
        .. MessageNames.Libraries,
    ];

    public static TheoryData<string> Answering => [.. MessageNames.All];

    [SkippableTheory]
    [MemberData(nameof(Simple))]
    public void Messages_of_every_size_arrive_in_order_and_whole_and_single_ones_are_timed(string contender)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        foreach (int size in SidesExperiment.Sizes)
        {
            using MessageRoutes routes = new(peer, [contender], new MessageTraffic(1, 1, size));

            // More than the way holds.
            Assert.True(new MessagesSent(routes, 0).Run(Math.Max(8, Math.Min(3_000, 3 * MessageTraffic.UsualBytes / size))) > 0);

            foreach (bool isPrepared in (bool[])[false, true])
            {
                MessagesTimed timed = new(routes, 0, isAsleep: false, isPrepared);
                Assert.True(timed.Run(5) > 5 * MessageWriter.AwakePause.TotalNanoseconds);
                Assert.InRange(timed.Percentile(0.5), 1, timed.Percentile(1));
            }
        }
    }

    [SkippableTheory]
    [MemberData(nameof(Answering))]
    public void Answers_of_every_size_come_back(string contender)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        foreach (int size in RingExperiment.Sizes)
        {
            using MessageRoutes routes = new(peer, [contender], MessageTraffic.Between(size));
            MessagesAnswered answered = new(routes, 0);
            MessagesSent sent = new(routes, 0);

            Assert.True(answered.Run(20) > 0);
            Assert.True(sent.Run(20) > 0);
            Assert.InRange(answered.Percentile(0.5), 1, answered.Percentile(0.99));
            Assert.Equal(ThreadSwitches.AreKnown, sent.SwitchesPerMillion(1) is >= 0);
        }
    }

    [SkippableTheory]
    [InlineData(2, 1, false)]
    [InlineData(2, 3, false)]
    [InlineData(1, 2, false)]
    [InlineData(4, 4, false)]
    [InlineData(1, 2, true)]
    [InlineData(1, 4, true)]
    public void With_several_writers_and_readers_each_message_comes_as_often_as_it_must(int writers, int readers, bool isTopic)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        MessageTraffic traffic = new(writers, readers, 64 << 10, isTopic);
        SidesExperiment experiment = isTopic ? SidesExperiment.Topic : SidesExperiment.Queue;
        using MessageRoutes routes = new(peer, experiment.NamesFor(traffic), traffic);
        MessagesSent[] trials = [.. routes.Contenders.Select((_, contender) => new MessagesSent(routes, contender))];

        foreach ((_, int contender) in Turns.Take(trials.Length, 3, new Random(1)))
        {
            Assert.True(trials[contender].Run(50) > 0);
        }

        if (isTopic)
        {
            Assert.True(new MessagesTimed(routes, 0, isAsleep: true, isPrepared: false).Run(3) > 0);
        }
    }

    [SkippableTheory]
    [MemberData(nameof(Simple))]
    public void Another_message_than_the_next_fails_the_run(string contender)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        using MessageRoutes routes = new(peer, [contender], new MessageTraffic(1, 1, 64));

        var failure = Assert.Throws<InvalidDataException>(() => routes.Do(Order(first: 1, count: 1), _ => Read(routes, 2)));

        Assert.Contains(
            "Message 0 of 64 bytes was expected, but one of 64 bytes with the number 1 arrived", failure.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void The_other_process_tells_why_it_failed()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        using MessageRoutes routes = new(peer, [MessageNames.Ring], MessageTraffic.Between(64));

        var failure = Assert.Throws<InvalidOperationException>(() => routes.Do(
            new MessageOrder { Kind = MessageOrderKind.Echo, Count = 2 },
            _ =>
            {
                routes.EndsOf(0).Writers[0].Send(64, first: 1, 1, 1);
                Read(routes, 1);
            }));

        Assert.Contains("Message 0 of 64 bytes was expected", failure.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void A_message_that_never_comes_fails_the_run()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        using MessageRoutes routes = new(peer, [MessageNames.Queue], new MessageTraffic(1, 1, 64)) { Longest = TimeSpan.FromSeconds(0.1) };

        var failure = Assert.Throws<InvalidDataException>(() => routes.Do(Order(first: 0, count: 2), _ => Read(routes, 3)));

        Assert.Contains("not all have arrived", failure.Message, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(false, "a message was lost, or came twice")]
    [InlineData(true, "or its bytes differ")]
    public void A_message_that_comes_twice_or_torn_from_one_of_several_writers_fails_the_run(bool isTorn, string reason)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using MessagePeer peer = new();
        using MessageRoutes routes = new(peer, [MessageNames.Queue], new MessageTraffic(2, 1, 64));
        byte[] message = new byte[64];
        MessageContents.Write(message, 7);
        message[^1] += isTorn ? (byte)1 : (byte)0;
        using SharedQueue queue = SharedQueue.Open(routes.AddressOf(0));
        queue.TryWrite(message);

        var failure = Assert.Throws<InvalidDataException>(() => new MessagesSent(routes, 0).Run(100));

        Assert.Contains(reason, failure.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void An_unknown_contender_is_refused_by_either_process()
    {
        using InheritedPipes pipes = new();
        using MessageWorker worker = new();
        MessageTraffic traffic = new(1, 1, 64);

        Assert.Throws<InvalidDataException>(() => MessageRoute.Create("nope", traffic, pipes));
        Assert.Throws<InvalidDataException>(() =>
            worker.Do(new MessageOrder { Kind = MessageOrderKind.Open, Traffic = traffic, Places = [new("nope", "nowhere")] }));
        Assert.Throws<InvalidDataException>(() => MessageOrder.Parse("nope"));
    }

    [Fact]
    public void The_other_process_reads_every_order_and_this_one_every_receipt()
    {
        MessageOrder order = new()
        {
            Kind = MessageOrderKind.SendTimed,
            Contender = 2,
            First = long.MaxValue,
            Count = 1_000_000,
            Processor = 0,
            IsAsleep = true,
            IsPrepared = true,
            Traffic = new(1, 4, 64, IsTopic: true),
            Gate = "gate",
        };
        MessageReceipt receipt = new(long.MaxValue, 7);
        MessageOrder read = MessageOrder.Parse((order with { Places = [null, new("a", "b")] }).ToString());

        Assert.Equal(order, read with { Places = order.Places });
        Assert.Equal([null, new("a", "b")], read.Places);
        Assert.Equal(receipt, MessageReceipt.Parse(receipt.ToString()));
    }

    private static MessageOrder Order(long first, int count) => new() { Kind = MessageOrderKind.Send, First = first, Count = count };

    private static void Read(MessageRoutes routes, int count)
    {
        OrderedCheck check = new(64, 0, count);
        routes.EndsOf(0).Readers[0].Read(ref check);
    }
}
