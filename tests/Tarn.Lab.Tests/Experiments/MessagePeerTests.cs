using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Experiments;

/// <summary>Both processes are real ones; each verifies number, length and bytes of every message it gets.</summary>
public class MessagePeerTests
{
    private const int Few = 500;

    public static TheoryData<string> Contenders => [.. MessageNames.All];

    [SkippableTheory]
    [MemberData(nameof(Contenders))]
    public void Messages_of_every_size_arrive_in_order_and_whole(string contender)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using var peer = new MessagePeer(contender);

        foreach (int size in RingExperiment.Sizes)
        {
            // More than a ring or a pipe holds.
            int count = Math.Max(Few, 2 * MessageRoute.BufferSize / size);
            var sent = new MessagesSent(peer, 0, size);
            var answered = new MessagesAnswered(peer, 0, size);

            Assert.True(sent.Run(count) > 0);
            Assert.True(answered.Run(Few) > 0);
            Assert.InRange(answered.Percentile(0.5), 1, answered.Percentile(0.99));
            Assert.Equal(ThreadSwitches.AreKnown, sent.SwitchesPerMillion(1) is >= 0);
        }

        var paced = new MessagesPaced(peer, 0, MessageContents.ShortestMessage);
        Assert.True(paced.Run(3) > 3 * MessageJob.Pause.TotalNanoseconds);
    }

    [SkippableTheory]
    [MemberData(nameof(Contenders))]
    public void A_missing_message_fails_the_run_and_the_other_process_reports_why(string contender)
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using var peer = new MessagePeer(contender);

        var failure = Assert.Throws<InvalidOperationException>(() =>
            peer.Do(new MessageTask(MessageTaskKind.Receive, 0, 64, 2), end => end.Send(64, first: 1, 1)));

        Assert.Contains(
            "Message 0 of 64 bytes was expected, but one of 64 bytes with the number 1 arrived", failure.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Several_contenders_take_turns_between_the_same_processes()
    {
        Skip.If(BuildGuard.FindReasonToRefuse() is not null, "a debug build refuses to measure");
        using var peer = new MessagePeer(MessageNames.All);
        MessagesSent[] trials = [.. MessageNames.All.Select((_, contender) => new MessagesSent(peer, contender, 64))];

        foreach ((_, int contender) in Turns.Take(trials.Length, 3, new Random(1)))
        {
            trials[contender].Run(Few);
        }

        Assert.Equal(MessageNames.All, trials.Select(trial => trial.Name));
    }

    [Fact]
    public void An_unknown_contender_is_refused_by_either_process()
    {
        Assert.Throws<InvalidDataException>(() => MessageRoute.Create("nope"));
        Assert.Throws<InvalidDataException>(() => new MessageJob().Run(["nope", "nowhere"]));
    }

    [Fact]
    public void The_other_process_reads_every_message()
    {
        var task = new MessageTask(MessageTaskKind.SendPaced, 2, 1_024, 1_000_000, 1);
        var receipt = new MessageReceipt(long.MaxValue, 7);

        Assert.Equal(task, MessageTask.Parse(task.ToString()));
        Assert.Equal(receipt, MessageReceipt.Parse(receipt.ToString()));
    }
}
