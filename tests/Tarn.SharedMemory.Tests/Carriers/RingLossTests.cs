
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that is gone is noticed by the other, once, and a successor takes over where it stopped.</summary>
public sealed class RingLossTests : RingTest
{
    private readonly CancellationTokenSource _later = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_reader_gets_the_published_messages_of_a_killed_writer_then_one_exception(bool waits)
    {
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 12"));
        Task killing = Task.CompletedTask;
        if (waits)
        {
            killing = KillLater(writer);
        }
        else
        {
            writer.Kill();
        }

        TestChild.RingWork.Read(ring, 0, 12, pauses: null);
        SharedPeerLostException e = Assert.Throws<SharedPeerLostException>(() => ring.BeginRead(Soon()));

        AssertTells(e, writer, hasLeft: false, "writer");
        Assert.Equal(0, ring.WriterProcessId);
        AssertWaits(token => ring.Read([], token));
        AssertWaits(token => ring.BeginRead(token));
        RingChild successor = Child();
        Assert.Equal("done", successor.Ask("write 12 5"));
        TestChild.RingWork.Read(ring, 12, 5, pauses: null);
        successor.Kill();
        AssertTells(Assert.Throws<SharedPeerLostException>(() => ring.Read([], Soon())), successor, hasLeft: false, "writer");
        await killing;
    }

    [Theory]
    [InlineData(false)]
    [LongInlineData(true)]
    public async Task A_writer_that_finds_the_ring_full_gets_one_exception_for_a_killed_reader(bool waits)
    {
        SharedRing ring = Create(64);
        ring.Write(Message(ring, 0));
        RingChild reader = Child();
        Assert.Equal("done", reader.Ask("read 0 1"));
        int written = 1;
        while (ring.TryWrite(Message(ring, written)))
        {
            written++;
        }

        Task killing = Task.CompletedTask;
        if (waits)
        {
            killing = KillLater(reader);
        }
        else
        {
            reader.Kill();
        }

        SharedPeerLostException e = Assert.Throws<SharedPeerLostException>(() => ring.Write(new byte[32], Soon()));

        AssertTells(e, reader, hasLeft: false, "reader");
        Assert.Equal(0, ring.ReaderProcessId);
        AssertWaits(token => ring.Write(new byte[32], token));
        AssertWaits(token => ring.BeginWrite(32, token));
        RingChild successor = Child();
        Assert.Equal("done", successor.Ask($"read 1 {written - 1}"));
        TestChild.RingWork.Write(ring, written, 2, pauses: null);
        Assert.Equal("done", successor.Ask($"read {written} 2"));
        await killing;
    }

    [Fact]
    public async Task A_sleeper_gets_an_exception_at_once_when_the_writer_leaves_and_again_after_its_return()
    {
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        for (int time = 0; time < 3; time++)
        {
            Assert.Equal("done", writer.Ask($"write {time} 1"));
            TestChild.RingWork.Read(ring, time, 1, pauses: null);
            Task<SharedPeerLostException> waiting =
                Task.Run(() => Assert.Throws<SharedPeerLostException>(() => ring.Read([], _later.Token)));
            Thread.Sleep(20 * time);
            Assert.Equal("done", writer.Ask("dispose"));

            await Eventually.Ends(waiting, $"loss {time} is told");
            AssertTells(await waiting, writer, hasLeft: true, "writer");
            Assert.Equal("done", writer.Ask($"open {Name}"));
        }
    }

    /// <summary>Nobody looked while it existed, so only the message shows that it did.</summary>
    [Fact]
    public void A_process_that_came_back_and_left_unseen_is_reported_again()
    {
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        for (int time = 0; time < 3; time++)
        {
            Assert.Equal("done", writer.Ask(time == 2 ? "attach-writer" : $"write {time} 1"));
            Assert.Equal("done", writer.Ask("dispose"));
            TestChild.RingWork.Read(ring, time, time == 2 ? 0 : 1, pauses: null);

            AssertTells(
                Assert.Throws<SharedPeerLostException>(() => ring.Read([], Soon())), writer, hasLeft: true, "writer");
            AssertWaits(token => ring.Read([], token));
            Assert.Equal("done", writer.Ask($"open {Name}"));
        }
    }

    [Fact]
    public void The_writer_gets_an_exception_when_the_reader_leaves_and_a_successor_reads_on()
    {
        SharedRing ring = Create(64);
        RingChild reader = Child();
        RingChild successor = Child();
        ring.Write(Message(ring, 0));
        Assert.Equal("done", reader.Ask("read 0 1"));
        int written = 1;
        while (ring.TryWrite(Message(ring, written)))
        {
            written++;
        }

        Assert.Equal("done", reader.Ask("dispose"));

        AssertTells(Assert.Throws<SharedPeerLostException>(() => ring.Write(new byte[32], Soon())), reader, hasLeft: true, "reader");
        AssertWaits(token => ring.Write(new byte[32], token));
        Assert.Equal("done", successor.Ask($"read 1 {written - 1}"));
    }

    [Fact]
    public void A_call_that_finds_a_message_or_room_reports_no_loss()
    {
        SharedRing ring = Create(64);
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 1"));
        writer.Kill();
        byte[] read = new byte[32];

        Assert.True(ring.TryRead(read, out _));
        Assert.False(ring.TryRead(read, out _));
        Assert.False(ring.TryBeginRead(out _));
        AssertTells(Assert.Throws<SharedPeerLostException>(() => ring.Read(read, Soon())), writer, hasLeft: false, "writer");
    }

    [SkippableFact]
    public void A_stopped_process_is_waited_for()
    {
        Skip.IfNot(SharingChild.CanStop, "Windows stops no process.");
        SharedRing ring = Create(64);
        RingChild writer = Child();
        RingChild other = Child();
        Assert.Equal("done", writer.Ask("write 0 1"));
        TestChild.RingWork.Read(ring, 0, 1, pauses: null);
        writer.Stop();
        try
        {
            AssertWaits(token => ring.Read([], token), milliseconds: 500);
            Assert.Equal(writer.Id, ring.WriterProcessId);
            Assert.StartsWith("InvalidOperationException", other.Ask("attach-writer"), StringComparison.Ordinal);
        }
        finally
        {
            writer.Continue();
        }

        Assert.Equal("done", writer.Ask("write 1 1"));
        TestChild.RingWork.Read(ring, 1, 1, pauses: null);
        Assert.Equal("done", writer.Ask("dispose"));
        AssertTells(Assert.Throws<SharedPeerLostException>(() => ring.Read([], Soon())), writer, hasLeft: true, "writer");
    }

    [Fact]
    public void A_ring_without_a_writer_yet_is_waited_at()
    {
        SharedRing ring = Create(64);

        AssertWaits(token => ring.Read([], token), milliseconds: 300);
    }

    [Fact]
    public void A_message_that_was_not_published_is_gone_with_its_writer()
    {
        SharedRing ring = Create(64);
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 1"));
        Assert.Equal("done", writer.Ask("begin 32"));
        writer.Kill();

        ring.Validate();
        TestChild.RingWork.Read(ring, 0, 1, pauses: null);
        Assert.False(ring.TryRead([], out _));
    }

    [Fact]
    public void A_message_that_was_begun_to_be_read_and_not_passed_is_the_successors()
    {
        SharedRing ring = Create(64);
        TestChild.RingWork.Write(ring, 0, 2, pauses: null);
        RingChild reader = Child();
        Assert.Equal("done", reader.Ask("peek"));
        reader.Kill();

        RingChild successor = Child();
        Assert.Equal("done", successor.Ask("read 0 2"));
    }

    public override void Dispose()
    {
        _later.Cancel();
        base.Dispose();
        _later.Dispose();
    }

    private static Task KillLater(RingChild child) => OnThread(() =>
    {
        Thread.Sleep(200);
        child.Kill();
    });

    /// <summary>It only keeps a failing test from hanging.</summary>
    private CancellationToken Soon()
    {
        CancellationTokenSource source = Keep(CancellationTokenSource.CreateLinkedTokenSource(_later.Token));
        source.CancelAfter(TimeSpan.FromMinutes(1));
        return source.Token;
    }

    private static void AssertWaits(Action<CancellationToken> call, int milliseconds = 250)
    {
        using CancellationTokenSource soon = new(milliseconds);
        Assert.Throws<OperationCanceledException>(() => call(soon.Token));
    }

    private void AssertTells(SharedPeerLostException e, RingChild child, bool hasLeft, string role)
    {
        Assert.Equal((child.Id, hasLeft), (e.ProcessId, e.HasLeft));
        Assert.Contains($"The {role} of the ring \"{Name}\", process {child.Id},", e.Message, StringComparison.Ordinal);
    }
}
