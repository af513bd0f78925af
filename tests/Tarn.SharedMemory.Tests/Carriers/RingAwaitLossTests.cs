using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The exit of the other process ends a wait that holds no thread, as it ends a call that waits.</summary>
public sealed class RingAwaitLossTests : RingTest
{
    [Fact]
    public async Task A_reader_gets_the_published_messages_of_a_killed_writer_then_one_exception()
    {
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 12"));
        await AwaitedRingWork.Read(ring, 0, 12, pauses: null);
        Task waiting = ring.WaitToReadAsync().AsTask();
        Thread.Sleep(20);
        writer.Kill();

        await AssertTells(waiting, writer, hasLeft: false);
        await AssertWaits(ring.WaitToReadAsync);
        RingChild successor = Child();
        Task reading = AwaitedRingWork.Read(ring, 12, 5, pauses: null);
        Assert.Equal("done", successor.Ask("await-writes 12 5"));
        await Eventually.Ends(reading, "the successor's messages are read");
        successor.Kill();
        await AssertTells(ring.WaitToReadAsync().AsTask(), successor, hasLeft: false);
    }

    [Fact]
    public async Task A_writer_that_finds_the_ring_full_gets_one_exception_for_a_killed_reader()
    {
        SharedRing ring = Create(64);
        ring.Write(Message(ring, 0));
        RingChild reader = Child();
        Assert.Equal("done", reader.Ask("await-reads 0 1"));
        while (ring.TryWrite(new byte[16]))
        {
        }

        Task waiting = ring.WaitToWriteAsync(32).AsTask();
        reader.Kill();

        await AssertTells(waiting, reader, hasLeft: false);
        await AssertWaits(token => ring.WaitToWriteAsync(32, token));
    }

    [Fact]
    public async Task A_peer_that_leaves_is_told_of_again_after_its_return()
    {
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        for (int time = 0; time < 3; time++)
        {
            Assert.Equal("done", writer.Ask($"await-writes {time} 1"));
            await AwaitedRingWork.Read(ring, time, 1, pauses: null);
            Task waiting = ring.WaitToReadAsync().AsTask();
            Thread.Sleep(20 * time);
            Assert.Equal("done", writer.Ask("dispose"));

            await AssertTells(waiting, writer, hasLeft: true);
            Assert.Equal("done", writer.Ask($"open {Name}"));
        }
    }

    /// <summary>The reader wakes the writer, which looks for it while it leaves.</summary>
    [Fact]
    public async Task A_peer_that_leaves_is_never_told_of_as_one_that_exited()
    {
        Random random = new(1);
        for (int time = 0; time < 300; time++)
        {
            using SharedRing ring = SharedRing.Create($"{Name}-{time}", 256);
            SharedRing reader = SharedRing.Open(ring.Name);
            reader.AttachReader();
            while (ring.TryWrite(new byte[8]))
            {
            }

            Task waiting = ring.WaitToWriteAsync(ring.MaxMessageLength).AsTask();
            reader.TryRead(new byte[8], out _);
            Thread.SpinWait(random.Next(2000));
            reader.Dispose();

            SharedPeerLostException e =
                await Assert.ThrowsAsync<SharedPeerLostException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.True(e.HasLeft, $"Time {time}: {e.Message}");
            await AssertWaits(token => ring.WaitToWriteAsync(ring.MaxMessageLength, token), milliseconds: 2);
        }
    }

    /// <summary>Nobody wakes the waiting thread: it looks at all its waits, in turn with many of them.</summary>
    [Fact]
    public async Task Killed_peers_of_many_rings_are_found()
    {
        const int rings = 200;
        SharedRing[] all = [.. Enumerable.Range(0, rings).Select(i => Create(64, $"-{i}"))];
        using RingChild writer = new();
        writer.Open(all[0].Name);
        Assert.Equal("done", writer.Ask("attach-writer"));
        Task[] waiting = [.. all.Select(static ring => ring.WaitToReadAsync().AsTask())];
        for (int i = 1; i < rings; i += 50)
        {
            Assert.Equal("done", writer.Ask($"open {all[i].Name}"));
            Assert.Equal("done", writer.Ask("write 0 1"));
            await Eventually.Ends(waiting[i], $"ring {i} has a message");
            Assert.True(all[i].TryRead(new byte[64], out _));
            waiting[i] = all[i].WaitToReadAsync().AsTask();
        }

        writer.Kill();

        foreach (int i in (int[])[0, .. Enumerable.Range(0, 4).Select(static i => 1 + (50 * i))])
        {
            SharedPeerLostException e =
                await Assert.ThrowsAsync<SharedPeerLostException>(() => waiting[i].WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.Equal(writer.Id, e.ProcessId);
        }

        Assert.Equal(rings - 5, waiting.Count(static one => !one.IsCompleted));
    }

    [Fact]
    public async Task A_corrupted_header_ends_a_wait()
    {
        SharedRing ring = Create(64);
        Task waiting = ring.WaitToReadAsync().AsTask();
        Spoil(ring);

        await Assert.ThrowsAsync<InvalidDataException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
        await Assert.ThrowsAsync<InvalidDataException>(async () => await ring.WaitToReadAsync());
    }

    private static unsafe void Spoil(SharedRing ring) => Volatile.Write(ref ring.Header->WritePosition, 12345);

    private static async Task AssertWaits(Func<CancellationToken, ValueTask> wait, int milliseconds = 250)
    {
        using CancellationTokenSource soon = new(milliseconds);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await wait(soon.Token));
    }

    private async Task AssertTells(Task waiting, RingChild child, bool hasLeft)
    {
        SharedPeerLostException e = await Assert.ThrowsAsync<SharedPeerLostException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal((child.Id, hasLeft), (e.ProcessId, e.HasLeft));
        Assert.Contains($"of the ring \"{Name}\", process {child.Id},", e.Message, StringComparison.Ordinal);
    }
}
