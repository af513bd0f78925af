using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Several processes: each message comes to one, in order, and what a process had begun when it was killed is found.</summary>
public sealed class QueueProcessTests : QueueTest
{
    /// <summary>An hour: a sleeper is woken by another process or not at all.</summary>
    private const string NoLooks = "interval 3600000";

    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    [Theory]
    [LongInlineData(2, 2, 1, 4000)]
    [LongInlineData(64, 3, 1, 10_000)]
    [LongInlineData(64, 1, 3, 9_000)]
    [InlineData(16, 2, 2, 6_000)]
    public void Each_message_comes_to_one_reader_and_those_of_a_writer_in_order(int capacity, int writers, int readers, int count)
    {
        SharedQueue queue = CreateQueue(capacity, 200);
        QueueChild[] writing = [.. Enumerable.Range(0, writers).Select(_ => QueueMember())];
        QueueChild[] reading = [.. Enumerable.Range(0, readers).Select(_ => QueueMember())];
        Assert.Equal(1 + writers + readers, queue.MemberCount);
        foreach (QueueChild child in (QueueChild[])[.. writing, .. reading])
        {
            Assert.Equal("done", child.Ask(NoLooks));
        }

        int each = count / writers;
        Array.ForEach([.. writing.Index()], writer => writer.Item.Tell($"write {writer.Index} {each} {writer.Index}"));
        Array.ForEach([.. reading.Index()], reader => reader.Item.Tell($"read {each * writers / readers} {reader.Index}"));

        Assert.All(writing, static child => Assert.Equal("done", child.Answer()));
        Assert.Equal((long)writers * each * (each + 1) / 2, reading.Sum(static child => long.Parse(child.Answer())));
        Assert.Null(Read(queue));
        queue.Validate();
        Assert.Equal((0, 0), (queue.SkippedCount, queue.ReturnedCount));
    }

    [Fact]
    public void The_claim_of_a_killed_writer_is_skipped_and_counted()
    {
        SharedQueue queue = CreateQueue(8);
        QueueChild child = QueueMember();
        Assert.True(queue.TryWrite(Message(queue, 0)));
        Assert.Equal("done", child.Ask("begin"));
        Assert.True(queue.TryWrite(Message(queue, 1)));
        Assert.Equal(0, Read(queue));
        Assert.Null(Read(queue, TimeSpan.FromMilliseconds(300)));
        Assert.Equal(0, queue.SkippedCount);

        child.Kill();

        Assert.Equal(1, Read(queue, s_long));
        Assert.Null(Read(queue));
        Assert.Equal((1, 0, 1), (queue.SkippedCount, queue.ReturnedCount, queue.MemberCount));
        queue.Validate();
    }

    [Fact]
    public void A_message_that_a_killed_reader_had_comes_to_another_one()
    {
        SharedQueue queue = CreateQueue(2);
        QueueChild child = QueueMember();
        Assert.True(queue.TryWrite(Message(queue, 0)));
        Assert.True(queue.TryWrite(Message(queue, 1)));
        Assert.Equal("(0, 0)", child.Ask("take"));
        Assert.Equal(1, Read(queue));
        Assert.Null(Read(queue));

        child.Kill();

        // The writer that finds no room finds the reader gone. Then a reader has to pass the message.
        Assert.False(queue.Write(Message(queue, 2), TimeSpan.FromMilliseconds(300)));
        Assert.Equal(0, Read(queue, s_long));
        Assert.True(queue.TryWrite(Message(queue, 2)));
        Assert.Equal(2, Read(queue));
        Assert.Equal((0, 1), (queue.SkippedCount, queue.ReturnedCount));
        queue.Validate();
    }

    /// <summary>No call waits: those that find nothing find the killed process, too.</summary>
    [Fact]
    public void A_killed_writer_is_found_by_calls_that_do_not_wait()
    {
        SharedQueue queue = CreateQueue(4);
        QueueChild child = QueueMember();
        Assert.Equal("done", child.Ask("begin"));
        Assert.True(queue.TryWrite(Message(queue, 7)));
        child.Kill();

        Eventually.True(() => Read(queue) == 7, "the message behind the claim is read");
        Assert.Equal(1, queue.SkippedCount);
    }

    /// <summary>Nobody waits for what it had, so the waiting process comes to it in turn.</summary>
    [Fact]
    public void A_message_of_a_killed_reader_is_found_behind_a_head_that_has_passed()
    {
        SharedQueue queue = CreateQueue(16);
        QueueChild[] children = [.. Enumerable.Range(0, 4).Select(_ => QueueMember())];
        for (int i = 0; i < 4; i++)
        {
            Assert.True(queue.TryWrite(Message(queue, i)));
            Assert.Equal($"(0, {i})", children[i].Ask("take"));
        }

        Array.ForEach(children, static child => child.Kill());

        long[] read = [.. Enumerable.Range(0, 4).Select(_ => Read(queue, s_long) ?? -1)];
        Assert.Equal([0, 1, 2, 3], read.Order());
        Assert.Equal(4, queue.ReturnedCount);
        Assert.Null(Read(queue));
    }

    /// <summary>The next member of the number ends what its predecessor left, though nobody looked before.</summary>
    [Fact]
    public void A_successor_of_the_same_number_begins_with_nothing_begun()
    {
        SharedQueue queue = CreateQueue(8);
        QueueChild child = QueueMember();
        Assert.True(queue.TryWrite(Message(queue, 0)));
        Assert.Equal("(0, 0)", child.Ask("take"));
        Assert.Equal("done", child.Ask("begin"));
        Assert.True(queue.TryWrite(Message(queue, 1)));
        child.Kill();

        QueueChild successor = QueueMember();
        Assert.Equal((1, 1), (queue.SkippedCount, queue.ReturnedCount));
        Assert.Equal("(0, 0)", successor.Ask("take"));
        Assert.Equal("(0, 1)", successor.Ask("take"));
    }

    [SkippableFact]
    public void A_stopped_process_holds_back_others_until_their_timeout_and_nothing_is_lost()
    {
        Skip.IfNot(SharingChild.CanStop, "Windows stops no process.");
        SharedQueue queue = CreateQueue(2);
        QueueChild child = QueueMember();
        Assert.Equal("done", child.Ask("begin"));
        child.Stop();
        try
        {
            Assert.True(queue.TryWrite(Message(queue, 1)));
            Assert.False(queue.Write(Message(queue, 2), TimeSpan.FromMilliseconds(250)));
            Assert.Null(Read(queue, TimeSpan.FromMilliseconds(250)));
            Assert.Equal((0, 2), (queue.SkippedCount, queue.MemberCount));
        }
        finally
        {
            child.Continue();
        }

        Assert.Equal("done", child.Ask("dispose"));
        Assert.Equal(1, Read(queue));
        Assert.Equal(1, queue.SkippedCount);
    }

    [Fact]
    public async Task A_waiting_reader_is_woken_when_a_member_leaves_what_it_had()
    {
        SharedQueue queue = CreateQueue(4);
        QueueChild child = QueueMember();
        // Two messages: the reader may take one before the other wait looks, which then needs one to end.
        Assert.True(queue.TryWrite(Message(queue, 3)) && queue.TryWrite(Message(queue, 4)));
        Assert.Equal(("(0, 3)", "(0, 4)"), (child.Ask("take"), child.Ask("take")));
        using CancellationTokenSource end = new(s_long);
        Task waiting = queue.WaitToReadAsync(end.Token).AsTask();
        Task<long?> reading = Task.Run(() => Read(queue, s_long));
        Thread.Sleep(50);
        Assert.False(waiting.IsCompleted || reading.IsCompleted);
        Assert.Equal("done", child.Ask("dispose"));
        await Eventually.AllEnd([waiting, reading], "both waits end");
        Assert.Equal(3, await reading);
    }
}
