using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Calls that wait: ended by cancellation, by <see cref="SharedRing.Dispose"/>, and by nothing else; one thread on each side.
/// </summary>
public sealed class RingWaitingTests : RingTest
{
    public static TheoryData<string> Waits =>
        ["Read", "BeginRead", "timed Read", "timed BeginRead", "Write", "BeginWrite", "timed Write", "timed BeginWrite"];

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task Dispose_ends_a_wait(string call)
    {
        for (int i = 0; i < 30; i++)
        {
            using SharedRing ring = Full(call);
            Task waiting = OnThread(() => Assert.Throws<ObjectDisposedException>(() => Wait(ring, call, CancellationToken.None)));
            Pause(i);
            Task[] disposing = [OnThread(ring.Dispose), OnThread(ring.Dispose)];

            await Eventually.AllEnd([waiting, .. disposing], $"{call} is disposed");
        }
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public async Task Cancellation_ends_a_wait_and_leaves_the_ring_as_it_was(string call)
    {
        using SharedRing ring = Full(call);
        for (int i = 0; i < 30; i++)
        {
            using CancellationTokenSource source = new();
            Task waiting = OnThread(() =>
            {
                OperationCanceledException e = Assert.Throws<OperationCanceledException>(() => Wait(ring, call, source.Token));
                Assert.Equal(source.Token, e.CancellationToken);
            });
            Pause(i);
            await source.CancelAsync();

            await Eventually.Ends(waiting, $"{call} is cancelled");
            ring.Validate();
        }

        Assert.Equal(call.EndsWith("Write", StringComparison.Ordinal) ? 8 : 0, Drain(ring));
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public void A_call_cancelled_beforehand_does_nothing_even_if_it_could_succeed(string call)
    {
        SharedRing ring = Create(64);
        ring.Write([1]);

        Assert.Throws<OperationCanceledException>(() => Wait(ring, call, new CancellationToken(canceled: true)));

        Assert.Equal(1, Drain(ring));
    }

    /// <summary>Each attempt to read is cancelled about when the message comes: it is either read or still there.</summary>
    [Fact]
    public async Task Cancellation_that_races_with_a_message_loses_none()
    {
        const int count = 2000;
        SharedRing ring = Create(256);
        Task writer = OnThread(() => WriteCancelled(ring, count));
        Task reader = OnThread(() => ReadCancelled(ring, count));

        await Eventually.AllEnd([writer, reader], "messages are written and read");
        Assert.Equal(0, Drain(ring));
    }

    /// <summary>Writes messages, each until no cancellation comes before it.</summary>
    private static void WriteCancelled(SharedRing ring, int count)
    {
        Random random = new(1);
        for (int i = 0; i < count; i++)
        {
            using CancellationTokenSource source = new();
            source.CancelAfter(TimeSpan.FromMicroseconds(random.Next(100)));
            while (true)
            {
                try
                {
                    ring.Write(Message(ring, i), source.IsCancellationRequested ? CancellationToken.None : source.Token);
                    break;
                }
                catch (OperationCanceledException)
                {
                    // Nothing was written, or the numbers would differ.
                }
            }

            Thread.SpinWait(random.Next(3000));
        }
    }

    /// <summary>Reads as many messages, in order, while cancellations come at any time.</summary>
    private static void ReadCancelled(SharedRing ring, int count)
    {
        Random random = new(2);
        byte[] bytes = new byte[ring.MaxMessageLength];
        for (int i = 0; i < count;)
        {
            using CancellationTokenSource source = new();
            Task cancel = Task.Run(() =>
            {
                Thread.SpinWait(random.Next(3000));
                source.Cancel();
            });
            try
            {
                while (i < count)
                {
                    int length = ring.Read(bytes, source.Token);
                    Assert.True(
                        RingMessage.Is(bytes.AsSpan(0, length), RingMessage.NumberOf(0, i), ring.MaxMessageLength),
                        $"Not message {i}.");
                    i++;
                }
            }
            catch (OperationCanceledException)
            {
                // Once more.
            }

            cancel.Wait();
        }
    }

    [Fact]
    public async Task Reading_the_process_ids_does_not_touch_a_disposed_ring()
    {
        for (int i = 0; i < StressLength.Times(40, 200); i++)
        {
            SharedRing ring = SharedRing.Create(Name, 64);
            ring.AttachWriter();
            Task asking = OnThread(() => Assert.Throws<ObjectDisposedException>((Action)(() =>
            {
                while (true)
                {
                    Assert.InRange(ring.WriterProcessId + ring.ReaderProcessId, 0, Environment.ProcessId);
                }
            })));
            Thread.SpinWait(i * 100);
            ring.Dispose();

            await Eventually.Ends(asking, "a disposed ring is asked");
        }
    }

    /// <summary>
    /// Dispose comes while both sides work: each ends with its next call, at a whole message, and the mappings are removed afterwards.
    /// </summary>
    [Fact]
    public async Task Dispose_meets_both_sides_at_work()
    {
        SharedRing other = Create(1024);
        long read = 0;
        byte[] bytes = new byte[other.MaxMessageLength];
        long written = 0;
        for (int i = 0; i < 100; i++)
        {
            SharedRing ring = SharedRing.Open(Name);
            ring.AttachWriter();
            ring.AttachReader();
            Task writer = OnThread(() => Assert.Throws<ObjectDisposedException>((Action)(() =>
            {
                for (; ; written++)
                {
                    ring.Write(Message(ring, written));
                }
            })));
            Task reader = OnThread(() => Assert.Throws<ObjectDisposedException>((Action)(() =>
            {
                for (; ; read++)
                {
                    Verify(bytes.AsSpan(0, ring.Read(bytes)), read);
                }
            })));
            Thread.SpinWait(i * 1000);
            ring.Dispose();

            await Eventually.AllEnd([writer, reader], "the ring is disposed while both sides work");
            other.Validate();
        }

        while (other.TryRead(bytes, out int length))
        {
            Verify(bytes.AsSpan(0, length), read++);
        }

        Assert.Equal(written, read);
    }

    [Fact]
    public async Task A_second_thread_at_a_side_is_refused_while_the_first_waits_and_the_other_side_is_free()
    {
        SharedRing ring = Create(64);
        Task<int> waiting = Task.Run(() => ring.Read(new byte[32]));
        Eventually.True(() => ring.ReaderProcessId != 0, "nobody reads");

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => ring.TryRead([], out _));
        Assert.Contains("Two threads", e.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(ring.AttachReader);
        Assert.Throws<InvalidOperationException>(() => ring.TryBeginRead(out _));
        ring.Write([1, 2]);

        Assert.Equal(2, await waiting);
        Assert.False(ring.TryRead([], out _));
    }

    /// <summary>Misuse: messages may be wrong or refused, but nothing reaches outside, nothing hangs.</summary>
    [Fact]
    public async Task Many_threads_at_each_side_do_no_harm_to_memory()
    {
        SharedRing ring = Create(256);
        Task[] all =
        [
            .. Enumerable.Range(0, 6).Select(i => OnThread(() =>
            {
                byte[] bytes = new byte[ring.MaxMessageLength];
                for (int call = 0; call < 3000; call++)
                {
                    try
                    {
                        _ = i % 2 == 0 ? ring.TryWrite(bytes.AsSpan(0, call % bytes.Length)) : ring.TryRead(bytes, out _);
                    }
                    catch (Exception e) when (e is InvalidOperationException or InvalidDataException)
                    {
                        // The message says the same.
                    }
                }
            })),
        ];

        await Eventually.AllEnd(all, "several threads use a ring");
    }

    /// <summary>So that the call has to wait: empty, or full of 8 empty messages.</summary>
    private SharedRing Full(string call)
    {
        SharedRing ring = SharedRing.Create(Name, 64);
        while (call.EndsWith("Write", StringComparison.Ordinal) && ring.TryWrite([]))
        {
        }

        return ring;
    }

    private static void Wait(SharedRing ring, string call, CancellationToken token)
    {
        switch (call)
        {
            case "Read":
                ring.Read(new byte[32], token);
                break;
            case "BeginRead":
                ring.BeginRead(token);
                break;
            case "timed Read":
                ring.Read(new byte[32], out _, TimeSpan.FromMinutes(5), token);
                break;
            case "timed BeginRead":
                ring.BeginRead(out _, TimeSpan.FromMinutes(5), token);
                break;
            case "Write":
                ring.Write([], token);
                break;
            case "timed Write":
                ring.Write([], TimeSpan.FromMinutes(5), token);
                break;
            case "timed BeginWrite":
                ring.BeginWrite(0, out _, TimeSpan.FromMinutes(5), token);
                break;
            default:
                ring.BeginWrite(0, token);
                break;
        }
    }

    /// <summary>Before the call, while it spins, and while it sleeps.</summary>
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

    private static int Drain(SharedRing ring)
    {
        int count = 0;
        while (ring.TryRead(new byte[32], out _))
        {
            count++;
        }

        return count;
    }

    private static void Verify(ReadOnlySpan<byte> message, long index) =>
        Assert.True(RingMessage.Is(message, RingMessage.NumberOf(0, index), 512), $"Not message {index}.");
}
