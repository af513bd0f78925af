using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>What one process sees of a topic: order, losses, readers that hold the writer back, and what disposal does.</summary>
public sealed class TopicTests : TopicTest
{
    [Theory]
    [InlineData(1, 8)]
    [InlineData(2, 64)]
    [InlineData(3, 8)]
    [InlineData(16, 100)]
    [InlineData(1000, 5000)]
    public void Every_reader_gets_each_message_that_the_topic_keeps_in_order(int capacity, int longest)
    {
        SharedTopic topic = CreateTopic(capacity, longest);
        using SharedTopicReader first = topic.OpenReader();
        using SharedTopicReader second = OpenTopic().OpenReader(holdsWriter: true);
        Assert.Equal((capacity, longest, 0), (topic.Capacity, topic.MaxMessageLength, topic.Position));
        for (int turn = 0; turn < 3; turn++)
        {
            Write(topic, capacity);
            Assert.False(topic.TryWrite([]));
            Assert.False(topic.Write([], TimeSpan.FromMilliseconds(20)));
            topic.Validate();
            for (long i = 0; i < capacity; i++)
            {
                Assert.Equal((turn * capacity) + i, Read(first));
                Assert.Equal((turn * capacity) + i, Read(second));
            }

            Assert.Null(Read(first));
            Assert.Null(Read(second, TimeSpan.FromMilliseconds(20)));
            topic.Validate();
        }

        Assert.Equal((0, 0), (first.LostCount, second.LostCount));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(17)]
    [InlineData(64)]
    public void A_reader_that_is_overtaken_is_told_how_many_messages_it_lost(int capacity)
    {
        SharedTopic topic = CreateTopic(capacity);
        using SharedTopicReader reader = topic.OpenReader();
        for (int beyond = 1; beyond < 100; beyond++)
        {
            (long position, long lost) = (topic.Position, reader.LostCount);
            Write(topic, capacity + beyond);
            if (beyond > TopicHeader.StepOf(capacity))
            {
                Assert.Equal(topic.Position - capacity + (capacity / 4), Read(reader));
                Assert.Equal(beyond + (capacity / 4), reader.LostCount - lost);
            }

            while (Read(reader) is not null)
            {
            }

            Assert.Equal(topic.Position, reader.Position);
        }
    }

    [Fact]
    public void A_reader_begins_with_the_next_message_or_the_oldest_or_at_a_position()
    {
        SharedTopic topic = CreateTopic(32);
        Write(topic, 100);
        using SharedTopicReader next = topic.OpenReader();
        using SharedTopicReader oldest = topic.OpenReader(fromOldest: true);
        using SharedTopicReader at = topic.OpenReaderAt(90);
        using SharedTopicReader late = topic.OpenReaderAt(10);
        using SharedTopicReader end = topic.OpenReaderAt(100, holdsWriter: true);
        using SharedTopicReader holding = topic.OpenReader(fromOldest: true, holdsWriter: true);
        Assert.Equal((100, 68, 90, 68, 100), (next.Position, oldest.Position, at.Position, late.Position, end.Position));
        Assert.InRange(holding.Position, 68, 70);
        Assert.Equal((0, 0, 0, 58), (next.LostCount, oldest.LostCount, at.LostCount, late.LostCount));
        Assert.Equal((0, 0), (end.LostCount, holding.LostCount));
        Assert.Equal((68, 90, 68), (Read(oldest), Read(at), Read(late)));
        Assert.Equal(holding.Position, Read(holding));
        Assert.Throws<ArgumentOutOfRangeException>("position", () => topic.OpenReaderAt(101));
        Assert.Throws<ArgumentOutOfRangeException>("position", () => topic.OpenReaderAt(-1));
    }

    [Fact]
    public void A_message_in_place_is_seen_when_it_is_ended()
    {
        SharedTopic topic = CreateTopic(4);
        using SharedTopicReader reader = topic.OpenReader();
        Assert.True(topic.TryBeginWrite(topic.MaxMessageLength, out SharedRoom room));
        Assert.Equal((64, 0), (room.Span.Length, room.Position));
        Assert.False(reader.TryBeginRead(out SharedMessage message));
        room.Span[0] = 7;
        Assert.Equal("length", NameOfThrown<ArgumentOutOfRangeException>(room, 65));
        room.Commit(1);
        Assert.Null(NameOfThrown<InvalidOperationException>(room, 0));
        room.Dispose();

        Assert.True(reader.TryBeginRead(out message));
        Assert.Equal((byte[])[7], message.Span);
        message.Dispose();
        message.Dispose();
        Assert.True(reader.TryBeginRead(out message));
        Assert.True(message.Pass());
        message.Dispose();
        Assert.False(reader.TryBeginRead(out _));

        Assert.True(topic.TryBeginWrite(topic.MaxMessageLength, out room));
        room.Dispose();
        Assert.Null(NameOfThrown<InvalidOperationException>(room, 0));
        Assert.Null(NameOfThrown<InvalidOperationException>(default, 0));
        Assert.Equal(1, topic.Position);
    }

    [Fact]
    public void A_message_that_is_overwritten_while_it_is_read_is_told()
    {
        SharedTopic topic = CreateTopic(4);
        using SharedTopicReader reader = topic.OpenReader();
        using SharedTopicReader holding = topic.OpenReader(holdsWriter: true);
        Write(topic, 4);
        Assert.True(reader.TryBeginRead(out SharedMessage lost));
        Assert.True(holding.TryBeginRead(out SharedMessage held));
        Assert.False(topic.TryWrite([1]));
        Assert.True(held.Pass());
        for (int i = 0; i < 3; i++)
        {
            Assert.True(topic.TryWrite([9]) && holding.TryRead(new byte[64], out _));
        }

        Assert.False(lost.Pass());
        Assert.Equal((4, 4), (reader.Position, reader.LostCount));
        bool isThrown = false;
        try
        {
            lost.Pass();
        }
        catch (InvalidOperationException)
        {
            isThrown = true;
        }

        Assert.True(isThrown);
        Assert.True(reader.TryBeginRead(out SharedMessage next));
        Assert.Equal((4L, 9), (next.Position, (int)next.Span[0]));
    }

    [Fact]
    public async Task One_object_and_one_thread_at_a_time_write_and_read()
    {
        SharedTopic topic = CreateTopic(4);
        SharedTopic other = OpenTopic();
        topic.AttachWriter();
        topic.AttachWriter();
        Assert.Equal(Environment.ProcessId, other.WriterProcessId);
        string message = Assert.Throws<InvalidOperationException>(() => other.TryWrite([])).Message;
        Assert.Equal($"The topic \"{Name}\" has a writer already, which must dispose its topic first: this process.", message);
        Assert.Throws<InvalidOperationException>(() => { _ = other.WaitToWriteAsync(1).AsTask(); });
        Assert.Equal(0, other.Position);
        using SharedTopicReader reader = topic.OpenReader();
        Task waiting = reader.WaitToReadAsync().AsTask();
        Assert.StartsWith(
            "Two threads read with one reader", Assert.Throws<InvalidOperationException>(() => Read(reader)).Message,
            StringComparison.Ordinal);
        Write(topic, 1);
        await waiting.WaitAsync(s_long);
        Assert.Equal(0, Read(reader));
        topic.Dispose();
        Write(other, 1);
        Assert.Equal((2, 0), (other.Position, reader.LostCount));
    }

    [Fact]
    public void Disposal_lets_the_writer_go_on_and_refuses_calls()
    {
        SharedTopic topic = CreateTopic(2);
        SharedTopic other = OpenTopic();
        SharedTopicReader first = topic.OpenReader(holdsWriter: true);
        SharedTopicReader second = other.OpenReader(holdsWriter: true);
        SharedTopicReader third = other.OpenReader();
        Assert.Equal(2, topic.HoldingReaderCount);
        Write(topic, 2);
        Assert.False(topic.TryWrite([]));
        first.Dispose();
        first.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Read(first));
        Assert.Throws<ObjectDisposedException>(() => { _ = first.WaitToReadAsync().AsTask(); });
        Assert.False(topic.TryWrite([]));
        Assert.Equal((1, true, false), (topic.HoldingReaderCount, second.HoldsWriter, third.HoldsWriter));
        other.Dispose();
        Assert.Equal(0, topic.HoldingReaderCount);
        Write(topic, 5);
        Assert.Throws<ObjectDisposedException>(() => Read(second));
        Assert.Throws<ObjectDisposedException>(() => Read(third));
        Assert.Throws<ObjectDisposedException>(() => other.OpenReader());
        Assert.Throws<ObjectDisposedException>(() => other.Position);
        second.Dispose();
        topic.Validate();
    }

    [Fact]
    public void A_forgotten_reader_lets_the_writer_go_on_unless_a_message_is_in_progress()
    {
        SharedTopic topic = CreateTopic(2);
        Write(topic, 1);
        Forget(topic, begins: true);
        Forget(topic, begins: false);
        Eventually.TrueAfterCollections(() => topic.HoldingReaderCount == 1, "one of the forgotten readers stays");
        Eventually.Collect();
        Assert.Equal(1, topic.HoldingReaderCount);
        ForgetTopic();
        Assert.Equal(2, topic.HoldingReaderCount);
        Eventually.TrueAfterCollections(() => topic.HoldingReaderCount == 1, "the reader of a forgotten topic is gone");
    }

    [Fact]
    public void As_many_readers_as_documented_hold_the_writer_back()
    {
        SharedTopic topic = CreateTopic(2);
        SharedTopic other = OpenTopic();
        SharedTopicReader[] readers =
            [.. Enumerable.Range(0, 60).Select(i => Keep((i % 2 == 0 ? topic : other).OpenReader(holdsWriter: true)))];
        string message = Assert.Throws<InvalidOperationException>(() => topic.OpenReader(holdsWriter: true)).Message;
        Assert.Contains("60 readers hold the writer", message, StringComparison.Ordinal);
        Write(topic, 2);
        foreach (SharedTopicReader reader in readers)
        {
            Assert.False(topic.TryWrite([]));
            Assert.Equal(0, Read(reader));
        }

        Write(topic, 1);
        readers[30].Dispose();
        Assert.Equal(3, Keep(topic.OpenReader(holdsWriter: true)).Position);
    }

    private static string? NameOfThrown<T>(SharedRoom room, int length)
        where T : Exception
    {
        try
        {
            room.Commit(length);
        }
        catch (T e)
        {
            return (e as ArgumentException)?.ParamName;
        }

        return "nothing";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(SharedTopic topic, bool begins)
    {
        SharedTopicReader reader = topic.OpenReader(fromOldest: true, holdsWriter: true);
        Assert.Equal(begins, begins && reader.TryBeginRead(out _));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ForgetTopic()
    {
        SharedTopic topic = SharedTopic.Open(Name);
        SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        Assert.True(reader.HoldsWriter);
    }
}
