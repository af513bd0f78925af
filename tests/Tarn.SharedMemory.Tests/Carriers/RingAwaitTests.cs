using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Waits that hold no thread: what they return, and what ends them.</summary>
public sealed class RingAwaitTests : RingTest
{
    public static TheoryData<string> Waits => ["read", "write"];

    [Fact]
    public async Task A_wait_that_need_not_wait_is_over_at_once_and_allocates_nothing()
    {
        SharedRing ring = Create(256);
        await ring.WaitToWriteAsync(ring.MaxMessageLength);
        ring.Write([1]);
        await ring.WaitToReadAsync();

        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isOver = true;
        for (int i = 0; i < 100; i++)
        {
            ValueTask read = ring.WaitToReadAsync();
            ValueTask write = ring.WaitToWriteAsync(8);
            isOver &= read.IsCompletedSuccessfully && write.IsCompletedSuccessfully;
            await read;
            await write;
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(isOver);
        Assert.True(ring.TryRead(new byte[1], out int length));
        Assert.Equal(1, length);
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task What_it_waits_for_ends_a_wait(string call)
    {
        SharedRing ring = Full(call);
        for (int i = 0; i < 30; i++)
        {
            Task waiting = Wait(ring, call).AsTask();
            Assert.False(waiting.IsCompleted);
            Pause(i);
            if (call == "read")
            {
                ring.Write([1]);
            }
            else
            {
                Assert.True(ring.TryRead(new byte[32], out _));
            }

            await Eventually.Ends(waiting, $"the wait to {call} ends");
            await waiting;
            Assert.True(call == "read" ? ring.TryRead(new byte[32], out _) : ring.TryWrite([]));
        }
    }

    /// <summary>Each message gives a little room, and wakes the writer for nothing until there is enough.</summary>
    [Fact]
    public async Task A_writer_waits_until_there_is_room_for_the_length()
    {
        SharedRing ring = Full("write");
        Task waiting = ring.WaitToWriteAsync(32).AsTask();
        for (int passed = 0; passed < 5; passed++)
        {
            Thread.Sleep(10);
            Assert.False(waiting.IsCompleted, $"{passed} of 5 messages were passed.");
            Assert.True(ring.TryRead([], out _));
        }

        await Eventually.Ends(waiting, "there is room");
        Assert.True(ring.TryWrite(new byte[32]));
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task A_wait_cancelled_beforehand_does_nothing_even_if_it_could_succeed(string call)
    {
        SharedRing ring = Create(64);
        ring.Write([1]);

        ValueTask waiting = Wait(ring, call, new CancellationToken(canceled: true));

        Assert.True(waiting.IsCanceled);
        await Assert.ThrowsAsync<TaskCanceledException>(async () => await waiting);
        Assert.Equal(1, ring.Read(new byte[8]));
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task Cancellation_ends_a_wait_and_leaves_the_ring_as_it_was(string call)
    {
        SharedRing ring = Full(call);
        (long write, long read) = (ring.WritePosition, ring.ReadPosition);
        for (int i = 0; i < 30; i++)
        {
            using CancellationTokenSource source = new();
            Task waiting = Wait(ring, call, source.Token).AsTask();
            Pause(i);
            await source.CancelAsync();

            OperationCanceledException e =
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.Equal(source.Token, e.CancellationToken);
            Assert.True(waiting.IsCanceled);
            ring.Validate();
            Assert.Equal((write, read), (ring.WritePosition, ring.ReadPosition));
        }
    }

    /// <summary>The registration is gone with the wait: a later cancellation touches nothing, not even a ring that is unmapped.</summary>
    [Fact]
    public async Task Cancellation_after_a_wait_does_nothing()
    {
        using CancellationTokenSource source = new();
        SharedRing ring = Full("read");
        Task waiting = ring.WaitToReadAsync(source.Token).AsTask();
        ring.Write([1]);
        await Eventually.Ends(waiting, "a message comes");
        ring.Dispose();

        await source.CancelAsync();

        await waiting;
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task Dispose_ends_a_wait(string call)
    {
        for (int i = 0; i < 30; i++)
        {
            using SharedRing ring = Full(call);
            Task waiting = Wait(ring, call).AsTask();
            Pause(i);
            Task[] disposing = [OnThread(ring.Dispose), OnThread(ring.Dispose)];

            await Eventually.AllEnd(disposing, $"the wait to {call} is disposed");
            await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.Throws<ObjectDisposedException>(() => { _ = Wait(ring, call).AsTask(); });
        }
    }

    /// <summary>Also on the thread that waits for both, which is not inside any of them then.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_continuation_may_dispose_the_ring_and_others_that_are_waited_for(bool isInline)
    {
        SharedRing ring =
            Create(64);
        ring.AllowSynchronousContinuations = isInline;
        SharedRing other = Create(64, "-other");
        Task waitingForOther = other.WaitToReadAsync().AsTask();
        Task ended = Continue();
        ring.Write([1]);

        await Eventually.Ends(ended, "the continuation ends");
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waitingForOther);

        async Task Continue()
        {
            await ring.WaitToReadAsync().ConfigureAwait(false);
            other.Dispose();
            ring.Dispose();
        }
    }

    [Fact]
    public async Task A_second_call_at_a_side_is_refused_while_a_task_waits_and_the_other_side_is_free()
    {
        SharedRing ring = Create(64);
        ValueTask waiting = ring.WaitToReadAsync();

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => { _ = ring.WaitToReadAsync().AsTask(); });
        Assert.Contains("await each wait", e.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => ring.TryRead([], out _));
        Assert.Throws<InvalidOperationException>(() => ring.Read([], out _, TimeSpan.Zero));
        await ring.WaitToWriteAsync(2);
        ring.Write([1, 2]);

        await waiting;
        Assert.Equal(2, ring.Read(new byte[2]));
    }

    /// <summary>A result that nobody fetches costs the next wait an object, and nothing else.</summary>
    [Fact]
    public async Task A_wait_whose_result_is_never_fetched_does_not_disturb_the_next()
    {
        SharedRing ring = Create(64);
        for (int i = 0; i < 20; i++)
        {
            ValueTask forgotten = ring.WaitToReadAsync();
            ring.Write([1]);
            Eventually.True(() => forgotten.IsCompleted, "the wait ends");
            Assert.Equal(1, ring.Read(new byte[1]));
            Task next = ring.WaitToReadAsync().AsTask();
            Assert.False(next.IsCompleted);
            ring.Write([2]);
            await Eventually.Ends(next, "the next wait ends");
            Assert.Equal(1, ring.Read(new byte[1]));
        }
    }

    [Fact]
    public void Waits_leave_a_message_in_progress_alone()
    {
        SharedRing ring = Create(256);
        using (SharedRoom room = ring.BeginWrite(1))
        {
            room.Span[0] = 5;
            Assert.True(ring.WaitToWriteAsync(8).AsTask().IsCompletedSuccessfully);
            room.Commit(1);
        }

        using (SharedMessage message = ring.BeginRead())
        {
            Assert.True(ring.WaitToReadAsync().AsTask().IsCompletedSuccessfully);
            Assert.Equal(5, message.Span[0]);
            message.Pass();
        }

        Assert.False(ring.TryRead([], out _));
    }

    [Fact]
    public async Task All_messages_are_read_until_a_cancellation_which_loses_none()
    {
        SharedRing ring = Create(1024);
        using CancellationTokenSource source = new();
        List<byte[]> read = [];
        Task reading = Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (ReadOnlyMemory<byte> message in ring.ReadAllAsync(source.Token))
            {
                read.Add(message.ToArray());
                if (read.Count == 100)
                {
                    await source.CancelAsync();
                }
            }
        });
        for (int i = 0; i < 100; i++)
        {
            byte[] message = Message(ring, i);
            await ring.WaitToWriteAsync(message.Length);
            Assert.True(ring.TryWrite(message));
            if (i % 9 == 0)
            {
                await Task.Delay(1);
            }
        }

        await Eventually.Ends(reading, "the loop is cancelled");
        Assert.Equal(100, read.Count);
        Assert.All(
            read.Index(), one => Assert.True(RingMessage.Is(one.Item, RingMessage.NumberOf(0, one.Index), ring.MaxMessageLength)));
        ring.Write([1, 2, 3]);
        Assert.Equal(3, ring.Read(new byte[512]));
    }

    [Fact]
    public async Task Lengths_that_no_message_has_are_refused()
    {
        SharedRing ring = Create(64);

        Assert.Throws<ArgumentOutOfRangeException>("length", () => { _ = ring.WaitToWriteAsync(-1).AsTask(); });
        Assert.Throws<ArgumentOutOfRangeException>("length", () => { _ = ring.WaitToWriteAsync(33).AsTask(); });
        await ring.WaitToWriteAsync(32);
    }

    /// <summary>So that the call has to wait: empty, or full of 8 empty messages.</summary>
    private SharedRing Full(string call)
    {
        SharedRing ring = Keep(SharedRing.Create(Name, 64));
        while (call == "write" && ring.TryWrite([]))
        {
        }

        return ring;
    }

    private static ValueTask Wait(SharedRing ring, string call, CancellationToken token = default) =>
        call == "read" ? ring.WaitToReadAsync(token) : ring.WaitToWriteAsync(0, token);

    /// <summary>Before the thread sleeps, and while it does.</summary>
    private static void Pause(int i)
    {
        if (i % 10 == 0)
        {
            Thread.Sleep(20);
        }
        else
        {
            Thread.SpinWait(i * 200);
        }
    }
}
