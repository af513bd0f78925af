
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Several processes: each reader gets each message, losses are counted, and the dead hold nobody back.</summary>
public sealed class TopicProcessTests : TopicTest
{
    /// <summary>An hour: a sleeper is woken by another process or not at all.</summary>
    private const string NoLooks = "interval 3600000";

    [Theory]
    [LongInlineData(1, 1, 1500)]
    [InlineData(2, 2, 3000)]
    [LongInlineData(64, 3, 8000)]
    public void Each_reader_that_holds_the_writer_back_gets_each_message(int capacity, int readers, int count)
    {
        SharedTopic topic = CreateTopic(capacity, 200);
        TopicChild[] reading = [.. Enumerable.Range(0, readers).Select(_ => TopicUser())];
        TopicChild writing = TopicUser();
        Assert.All(reading, static child => Assert.Equal("0", child.Ask("reader holds")));
        Assert.All([writing, .. reading], static child => Assert.Equal("done", child.Ask(NoLooks)));
        Assert.Equal(readers, topic.HoldingReaderCount);

        Array.ForEach([.. reading.Index()], reader => reader.Item.Tell($"read-to {count} {reader.Index}"));
        writing.Tell($"write {count} 7");
        Assert.Equal($"{count}", writing.Answer());
        Assert.All(reading, child => Assert.Equal($"{count} 0", child.Answer()));
        topic.Validate();
    }

    [Theory]
    [LongInlineData(1, 2000)]
    [InlineData(4, 20_000)]
    [LongInlineData(100, 40_000)]
    public void Readers_that_are_overtaken_get_whole_messages_and_count_the_others(int capacity, int count)
    {
        SharedTopic topic = CreateTopic(capacity, 200);
        TopicChild[] reading = [.. Enumerable.Range(0, 2).Select(_ => TopicUser())];
        TopicChild writing = TopicUser();
        Assert.All(reading, static child => Assert.Equal("0", child.Ask("reader")));
        Array.ForEach([.. reading.Index()], reader => reader.Item.Tell($"read-to {count} {reader.Index}"));
        writing.Tell($"write {count}");
        Assert.Equal($"{count}", writing.Answer());
        foreach (TopicChild child in reading)
        {
            long[] counts = [.. child.Answer().Split(' ').Select(long.Parse)];
            Assert.Equal(count, counts.Sum());
        }

        Assert.Equal(0, topic.HoldingReaderCount);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_killed_reader_holds_the_writer_back_until_it_is_found(bool awaits)
    {
        SharedTopic topic = CreateTopic(4);
        TopicChild child = TopicUser();
        Assert.Equal("0", child.Ask("reader holds"));
        Write(topic, 4);
        Assert.Equal("0", child.Ask("take"));
        Assert.False(topic.Write([], TimeSpan.FromMilliseconds(250)));
        Task? waiting = awaits ? topic.WaitToWriteAsync(1).AsTask() : null;
        Thread.Sleep(50);
        Assert.False(waiting is { IsCompleted: true });

        child.Kill();

        if (waiting is not null)
        {
            await Eventually.Ends(waiting, "the wait for room ends");
            Write(topic, 1);
        }
        else
        {
            // No call waits: those that find no room look, too.
            Eventually.True(() => topic.TryWrite([]), "there is room");
        }

        Assert.Equal(0, topic.HoldingReaderCount);
        Write(topic, 10);
        topic.Validate();
    }

    /// <summary>The next reader of the number begins at a position of its own, though nobody found its predecessor.</summary>
    [Fact]
    public void A_successor_of_the_same_number_holds_the_writer_back_where_it_is()
    {
        SharedTopic topic = CreateTopic(4);
        TopicChild child = TopicUser();
        Assert.Equal("0", child.Ask("reader holds"));
        Write(topic, 3);
        child.Kill();
        using SharedTopicReader successor = topic.OpenReader(holdsWriter: true);
        Write(topic, 4);
        Assert.False(topic.TryWrite([]));
        Assert.Equal(3, Read(successor));
        Write(topic, 1);
        Assert.Equal(1, topic.HoldingReaderCount);
    }

    [SkippableFact]
    public void A_stopped_reader_holds_the_writer_back_until_its_timeout_and_loses_nothing()
    {
        Skip.IfNot(SharingChild.CanStop, "Windows stops no process.");
        SharedTopic topic = CreateTopic(2);
        TopicChild child = TopicUser();
        Assert.Equal("0", child.Ask("reader holds"));
        child.Stop();
        try
        {
            Write(topic, 2);
            Assert.False(topic.Write([], TimeSpan.FromMilliseconds(350)));
            Assert.Equal(1, topic.HoldingReaderCount);
        }
        finally
        {
            child.Continue();
        }

        Assert.Equal("2 0", child.Ask("read-to 2"));
        Write(topic, 2);
        Assert.Equal("done", child.Ask("dispose-reader"));
        Write(topic, 5);
    }

    [Fact]
    public void A_killed_writer_leaves_whole_messages_and_its_successor_goes_on()
    {
        SharedTopic topic = CreateTopic(8, 300);
        using SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        Random random = new();
        for (int kill = 0; kill < 6; kill++)
        {
            TopicChild child = TopicUser();
            child.Tell($"write-until-killed {kill}");
            for (int i = random.Next(200); i > 0; i--)
            {
                long next = reader.Position;
                Assert.Equal(next, Read(reader, s_long));
            }

            // The messages may be of its predecessor.
            Eventually.True(() => topic.WriterProcessId == child.Id, "the child writes");
            child.Kill();
            Assert.Equal(0, topic.WriterProcessId);
        }

        while (Read(reader) is not null)
        {
        }

        Assert.Equal((topic.Position, 0), (reader.Position, reader.LostCount));
        Assert.Equal("done", Keep(TopicChild.With(Name)).Ask("begin"));
        topic.Validate();
    }
}
