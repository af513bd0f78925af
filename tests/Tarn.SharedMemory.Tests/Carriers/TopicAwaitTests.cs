using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Waits for a topic that hold no thread, and waits of threads: what ends them.</summary>
[Collection(nameof(TaskWaiters))]
public sealed class TopicAwaitTests : TopicTest
{
    [Fact]
    public async Task A_wait_ends_when_there_is_a_message_or_room()
    {
        SharedTopic topic = CreateTopic(1);
        using SharedTopicReader first = OpenTopic().OpenReader(holdsWriter: true);
        using SharedTopicReader second = topic.OpenReader();
        for (int i = 0; i < 20; i++)
        {
            Task reading = first.WaitToReadAsync().AsTask();
            Task<long?> another = Task.Run(() => Read(second, s_long));
            Thread.Sleep(i % 3);
            Assert.False(reading.IsCompleted);
            Write(topic, 1);
            await Eventually.AllEnd([reading, another], "both waits end");
            Assert.Equal(i, await another);
            Task writing = topic.WaitToWriteAsync(1).AsTask();
            Thread.Sleep(i % 3);
            Assert.False(writing.IsCompleted);
            Assert.Equal(i, Read(first));
            await Eventually.Ends(writing, "the wait for room ends");
        }

        await topic.WaitToWriteAsync(1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Tasks_and_threads_read_what_a_task_writes(bool holds)
    {
        const int count = 3000;
        SharedTopic topic = CreateTopic(8);
        using SharedTopicReader awaited = topic.OpenReader(holdsWriter: holds);
        using SharedTopicReader read = topic.OpenReader(holdsWriter: holds);
        using CancellationTokenSource end = new();
        long awaitedCount = 0;
        Task awaiting = Task.Run(async () =>
        {
            await foreach (ReadOnlyMemory<byte> message in awaited.ReadAllAsync(end.Token))
            {
                Assert.Equal(TopicWork.MessageAt(topic, awaited.Position - 1), message.Span);
                awaitedCount++;
            }
        });
        Task reading = OnThread(() =>
        {
            while (read.Position < count && TopicWork.TryRead(read, s_long))
            {
            }
        });
        await Eventually.Ends(
            Task.Run(async () =>
            {
                while (topic.Position < count)
                {
                    await topic.WaitToWriteAsync(1);
                    Write(topic, 1);
                }
            }),
            "all messages are written");
        await Eventually.Ends(reading, "the thread reads all messages");
        Eventually.True(() => awaited.Position == count, "the task reads all messages");
        end.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => awaiting.WaitAsync(s_long));
        Assert.Equal(count, awaitedCount + awaited.LostCount);
        Assert.True(!holds || awaited.LostCount + read.LostCount == 0, "no reader that holds the writer back loses a message");
        topic.Validate();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Cancellation_and_disposal_of_a_reader_or_the_topic_end_every_wait(int way)
    {
        SharedTopic empty = CreateTopic(2);
        using SharedTopic full = SharedTopic.Create(Name + "-full", 2, 8);
        using SharedTopicReader holding = full.OpenReader(holdsWriter: true);
        while (full.TryWrite([]))
        {
        }

        using CancellationTokenSource source = new();
        SharedTopicReader[] readers = [.. Enumerable.Range(0, 3).Select(i => Keep(empty.OpenReader(holdsWriter: i == 1)))];
        List<Task> waits =
        [
            readers[0].WaitToReadAsync(source.Token).AsTask(),
            OnThread(() => readers[1].Read(new byte[64], out _, Timeout.InfiniteTimeSpan, source.Token)),
            OnThread(() => readers[2].BeginRead(out _, s_long, source.Token)),
        ];
        if (way != 1)
        {
            waits.Add(full.WaitToWriteAsync(1, source.Token).AsTask());
        }

        Thread.Sleep(50);
        Assert.All(waits, static wait => Assert.False(wait.IsCompleted));
        switch (way)
        {
            case 0:
                source.Cancel();
                break;
            case 1:
                Array.ForEach(readers, static reader => reader.Dispose());
                break;
            default:
                empty.Dispose();
                full.Dispose();
                break;
        }

        foreach (Task wait in waits)
        {
            Exception? e = await Record.ExceptionAsync(() => wait.WaitAsync(s_long));
            Assert.True(way == 0 ? e is OperationCanceledException : e is ObjectDisposedException, $"{e}");
        }
    }

    /// <summary>Threads call without a pause while readers and topic are disposed under them.</summary>
    [Fact]
    public async Task Disposal_is_safe_while_calls_run()
    {
        for (int round = 0; round < 30; round++)
        {
            SharedTopic topic = SharedTopic.Create(Name, 4, 32);
            SharedTopicReader[] readers = [.. Enumerable.Range(0, 3).Select(i => topic.OpenReader(holdsWriter: i == 1))];
            byte[] bytes = new byte[32];
            Task[] calls =
            [
                OnThread(() => Repeat(() => topic.Write(bytes, TimeSpan.FromMilliseconds(1)))),
                .. readers.Select(
                    reader => OnThread(() => Repeat(() => reader.Read(new byte[32], out _, TimeSpan.FromMilliseconds(1))))),
            ];
            Thread.SpinWait(round * 1000);
            readers[round % 3].Dispose();
            topic.Dispose();
            foreach (Task call in calls)
            {
                await Assert.ThrowsAsync<ObjectDisposedException>(() => call.WaitAsync(s_long));
            }
        }
    }

    [Fact]
    public async Task A_corrupted_header_ends_a_wait()
    {
        SharedTopic topic = CreateTopic(2);
        using SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        Write(topic, 2);
        Task waiting = topic.WaitToWriteAsync(1).AsTask();
        Spoil(topic);

        await Assert.ThrowsAsync<InvalidDataException>(() => waiting.WaitAsync(s_long));
        Assert.Throws<InvalidDataException>(() => topic.TryWrite([]));
        Assert.Throws<InvalidDataException>(() => topic.Write([], s_long));
        Assert.Equal(0, Read(reader));
        Write(topic, 1);
    }

    private static unsafe void Spoil(SharedTopic topic) => Volatile.Write(ref topic.Slots.PositionOf(0), 12345);

    private static void Repeat(Func<bool> call)
    {
        while (call() || true)
        {
        }
    }
}
