using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Waits for a queue that hold no thread, and waits of threads: what ends them.</summary>
[Collection(nameof(TaskWaiters))]
public sealed class QueueAwaitTests : QueueTest
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task A_wait_ends_when_there_is_a_message_or_room()
    {
        SharedQueue queue = CreateQueue(2);
        SharedQueue other = OpenQueue();
        for (int i = 0; i < 20; i++)
        {
            Task reading = queue.WaitToReadAsync().AsTask();
            Task another = queue.WaitToReadAsync().AsTask();
            Thread.Sleep(i % 3);
            Assert.True(other.TryWrite(Message(queue, i)));
            await Eventually.AllEnd([reading, another], "both waits end");
            Assert.True(other.TryWrite(Message(queue, i)));
            Task writing = other.WaitToWriteAsync(1).AsTask();
            Thread.Sleep(i % 3);
            Assert.False(writing.IsCompleted);
            Assert.Equal(i, Read(queue));
            await Eventually.Ends(writing, "the wait for room ends");
            Assert.Equal(i, Read(queue));
        }

        await queue.WaitToWriteAsync(1);
    }

    [Fact]
    public async Task Many_tasks_and_threads_share_the_messages_of_many_writers()
    {
        const int count = 3000;
        const int readers = 4;
        SharedQueue queue = CreateQueue(8);
        using Tally tally = new(queue, count);
        Task[] writing = [.. Enumerable.Range(0, 2).Select(generation => Task.Run(async () =>
        {
            for (int i = 0; i < count; i++)
            {
                while (!queue.TryWrite(Message(queue, i, generation)))
                {
                    await queue.WaitToWriteAsync(1);
                }
            }
        }))];
        Task[] reading =
            [.. Enumerable.Range(0, readers).Select(reader => reader % 2 == 0 ? Task.Run(tally.AwaitAll) : OnThread(tally.ReadAll))];
        await Eventually.AllEnd([.. writing, .. reading], "all messages are written and read");

        Assert.All(tally.Reads, static one => Assert.Equal(1, one));
        queue.Validate();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Cancellation_and_disposal_end_every_wait(bool disposes)
    {
        SharedQueue empty = CreateQueue(2);
        using SharedQueue full = SharedQueue.Create(Name + "-full", 2, 8);
        while (full.TryWrite([]))
        {
        }

        using CancellationTokenSource source = new();
        Task[] waits =
        [
            empty.WaitToReadAsync(source.Token).AsTask(), empty.WaitToReadAsync(source.Token).AsTask(),
            full.WaitToWriteAsync(1, source.Token).AsTask(),
            OnThread(() => empty.Read(new byte[64], out _, Timeout.InfiniteTimeSpan, source.Token)),
            OnThread(() => empty.BeginRead(out _, s_long, source.Token)),
            OnThread(() => full.Write([], Timeout.InfiniteTimeSpan, source.Token)),
            OnThread(() => full.BeginWrite(full.MaxMessageLength, out _, s_long, source.Token)),
        ];
        Thread.Sleep(50);
        Assert.All(waits, static wait => Assert.False(wait.IsCompleted));
        if (disposes)
        {
            empty.Dispose();
            full.Dispose();
        }
        else
        {
            source.Cancel();
        }

        foreach (Task wait in waits)
        {
            Exception? e = await Record.ExceptionAsync(() => wait.WaitAsync(s_long));
            Assert.True(disposes ? e is ObjectDisposedException : e is OperationCanceledException, $"{e}");
        }
    }

    /// <summary>Threads call without a pause while the queue is disposed under them.</summary>
    [Fact]
    public async Task Disposal_is_safe_while_calls_run()
    {
        for (int round = 0; round < 30; round++)
        {
            SharedQueue queue = SharedQueue.Create(Name, 4, 32);
            Task[] calls = [.. Enumerable.Range(0, 4).Select(i => OnThread(() =>
            {
                byte[] bytes = new byte[32];
                while (i % 2 == 0 ? queue.TryWrite(bytes) || true : queue.Read(bytes, out _, TimeSpan.FromMilliseconds(i)) || true)
                {
                }
            }))];
            Thread.SpinWait(round * 1000);
            queue.Dispose();
            foreach (Task call in calls)
            {
                await Assert.ThrowsAsync<ObjectDisposedException>(() => call.WaitAsync(s_long));
            }
        }
    }

    [Fact]
    public async Task A_corrupted_header_ends_a_wait()
    {
        SharedQueue queue = CreateQueue(2);
        Task waiting = queue.WaitToReadAsync().AsTask();
        Spoil(queue);

        await Assert.ThrowsAsync<InvalidDataException>(() => waiting.WaitAsync(s_long));
        Assert.Throws<InvalidDataException>(() => queue.TryRead(new byte[64], out _));
        Assert.Throws<InvalidDataException>(() => queue.Read(new byte[64], out _, s_long));
        Assert.True(queue.TryWrite([1]));
    }

    private static unsafe void Spoil(SharedQueue queue) => Volatile.Write(ref queue.Header->Head, 12345);

    /// <summary>Reads messages of two writers by any number of threads and tasks, until each has come.</summary>
    private sealed class Tally(SharedQueue queue, int count) : IDisposable
    {
        private readonly CancellationTokenSource _end = new();
        private int _total;

        internal int[] Reads { get; } = new int[2 * count];

        public void Dispose() => _end.Dispose();

        internal async Task AwaitAll()
        {
            try
            {
                await foreach (ReadOnlyMemory<byte> message in queue.ReadAllAsync(_end.Token))
                {
                    Note(message.Span);
                }
            }
            catch (OperationCanceledException)
            {
                Assert.True(_end.IsCancellationRequested);
            }
        }

        internal void ReadAll()
        {
            byte[] bytes = new byte[queue.MaxMessageLength];
            try
            {
                while (queue.Read(bytes, out int length, Timeout.InfiniteTimeSpan, _end.Token))
                {
                    Note(bytes.AsSpan(0, length));
                }
            }
            catch (OperationCanceledException)
            {
                Assert.True(_end.IsCancellationRequested);
            }
        }

        private void Note(ReadOnlySpan<byte> message)
        {
            (long generation, long index) = QueueLog.Identify(message, queue.MaxMessageLength);
            Interlocked.Increment(ref Reads[(generation * count) + index]);
            if (Interlocked.Increment(ref _total) == Reads.Length)
            {
                _end.Cancel();
            }
        }
    }
}
