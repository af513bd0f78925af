
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Where a task goes on that waited: on the thread pool, or where it was waited for, if that was asked for.</summary>
[Collection(nameof(TaskWaiters))]
public sealed class ContinuationTests : RingTest
{
    [Theory]
    [InlineData("ring's reader", false)]
    [InlineData("ring's reader", true)]
    [InlineData("ring's writer", false)]
    [InlineData("ring's writer", true)]
    [InlineData("queue's reader", false)]
    [InlineData("queue's reader", true)]
    [InlineData("queue's writer", false)]
    [InlineData("queue's writer", true)]
    [InlineData("topic's reader", false)]
    [InlineData("topic's reader", true)]
    [InlineData("topic's writer", false)]
    [InlineData("topic's writer", true)]
    public async Task A_task_goes_on_by_the_thread_pool_unless_its_object_is_told_to_go_on_where_it_was_waited_for(
        string side, bool isInline)
    {
        int count = StressLength.Times(100, 300);
        const int least = 10;
        (Func<ValueTask> waitAsync, Action take, Action make) = Open(side, isInline);
        int inline = 0;
        int pooled = 0;
        using SemaphoreSlim waits = new(0);
        Task waiting = Task.Run(async () =>
        {
            for (int i = 0; i < count; i++)
            {
                ValueTask task = waitAsync();
                bool isWaiting = !task.IsCompleted;
                waits.Release();
                await task.ConfigureAwait(false);

                // A wait may end between the question and the await, and the task then goes on where it was.
                inline += isWaiting && Thread.CurrentThread.Name == TaskWaiter.ThreadName ? 1 : 0;
                pooled += isWaiting && Thread.CurrentThread.IsThreadPoolThread ? 1 : 0;
                take();
            }
        });
        await Eventually.Ends(
            OnThread(() =>
            {
                for (int i = 0; i < count && waits.Wait(TimeSpan.FromSeconds(30)); i++)
                {
                    Thread.Sleep(i % 10 == 0 ? 2 : 0);
                    make();
                }
            }),
            "all is made that the task waits for");
        await Eventually.Ends(waiting, "the task ends");

        string seen = $"{inline} of {count} waits went on on the waiting thread, {pooled} on the thread pool.";
        Assert.True(isInline ? inline >= least : inline == 0 && pooled >= least, seen);
    }

    /// <summary>The thread sees to the other waits whenever the code on it awaits.</summary>
    [Fact]
    public async Task Tasks_that_go_on_where_they_were_waited_for_wait_for_each_other()
    {
        const int count = 3000;
        using SharedQueue there = SharedQueue.Create(Name, 4, 8);
        using SharedQueue back = SharedQueue.Create(Name + "-back", 4, 8);
        there.AllowSynchronousContinuations = back.AllowSynchronousContinuations = true;
        Task answering = Task.Run(() => PassAsync(there, back, count));
        Task asking = Task.Run(async () =>
        {
            Assert.True(back.TryWrite([0]));
            await PassAsync(back, there, count).ConfigureAwait(false);
        });

        await Eventually.AllEnd([answering, asking], "all messages go there and back");

        static async Task PassAsync(SharedQueue from, SharedQueue to, int count)
        {
            byte[] message = new byte[8];
            for (int i = 0; i < count; i++)
            {
                int length;
                while (!from.TryRead(message, out length))
                {
                    await from.WaitToReadAsync().ConfigureAwait(false);
                }

                Assert.Equal(1, length);
                Assert.True(to.TryWrite(message.AsSpan(0, length)));
            }
        }
    }

    private (Func<ValueTask> WaitAsync, Action Take, Action Make) Open(string side, bool isInline)
    {
        byte[] room = new byte[8];
        if (side.StartsWith("ring", StringComparison.Ordinal))
        {
            SharedRing other = Create(64);
            SharedRing ring = Keep(SharedRing.Open(Name));
            ring.AllowSynchronousContinuations = isInline;
            if (side == "ring's reader")
            {
                return (() => ring.WaitToReadAsync(), () => Assert.True(ring.TryRead(room, out _)), () => other.Write([1]));
            }

            Fill(() => ring.TryWrite([]));
            return (() => ring.WaitToWriteAsync(0), () => Assert.True(ring.TryWrite([])), () => Assert.True(other.TryRead(room, out _)));
        }

        if (side.StartsWith("queue", StringComparison.Ordinal))
        {
            SharedQueue other = Keep(SharedQueue.Create(Name, 4, 8));
            SharedQueue queue = Keep(SharedQueue.Open(Name));
            queue.AllowSynchronousContinuations = isInline;
            if (side == "queue's reader")
            {
                return (() => queue.WaitToReadAsync(), () => Assert.True(queue.TryRead(room, out _)), () => Write(other.TryWrite));
            }

            Fill(() => queue.TryWrite([]));
            return (() => queue.WaitToWriteAsync(1), () => Assert.True(queue.TryWrite([])), () => Assert.True(other.TryRead(room, out _)));
        }

        SharedTopic written = Keep(SharedTopic.Create(Name, 4, 8));
        SharedTopic topic = Keep(SharedTopic.Open(Name));
        topic.AllowSynchronousContinuations = isInline;
        if (side == "topic's reader")
        {
            SharedTopicReader reader = Keep(topic.OpenReader());
            return (() => reader.WaitToReadAsync(), () => Assert.True(reader.TryRead(room, out _)), () => Write(written.TryWrite));
        }

        SharedTopicReader holding = Keep(written.OpenReader(holdsWriter: true));
        Fill(() => topic.TryWrite([]));
        return (() => topic.WaitToWriteAsync(1), () => Assert.True(topic.TryWrite([])), () => Assert.True(holding.TryRead(room, out _)));
    }

    private static void Write(Func<ReadOnlySpan<byte>, bool> tryWrite) => Assert.True(tryWrite([1]));

    private static void Fill(Func<bool> tryWrite)
    {
        while (tryWrite())
        {
        }
    }
}
