
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>What a side does when it starts before the other one, or again after it: no call needs a loop around it.</summary>
public sealed class RingRestartTests : RingTest
{
    [Fact]
    public void CreateOrOpen_creates_a_ring_and_opens_one_that_is_there()
    {
        SharedRing first = Keep(SharedRing.CreateOrOpen(Name, 1000));
        SharedRing second = Keep(SharedRing.CreateOrOpen(Name, 1024));
        Assert.Equal((first.Id, 1024), (second.Id, second.Capacity));
        first.Write([1, 2]);
        Assert.Equal(2, second.Read(new byte[2]));

        string message = Assert.Throws<IOException>(() => SharedRing.CreateOrOpen(Name, 4096)).Message;
        Assert.Contains($"The ring \"{Name}\" exists with 1024 bytes of messages, not 4096", message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>("capacity", () => SharedRing.CreateOrOpen(Name, 0));
        Assert.Throws<ArgumentException>("name", () => SharedRing.CreateOrOpen("a/b", 64));
    }

    [Fact]
    public async Task Of_many_that_create_or_open_at_once_all_get_one_ring()
    {
        for (int round = 0; round < 50; round++)
        {
            string name = $"{Name}-{round}";
            Task<SharedRing>[] all = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(() => SharedRing.CreateOrOpen(name, 64)))];
            SharedRing[] rings = await Task.WhenAll(all);
            Assert.Single(rings.Select(static ring => ring.Id).Distinct());
            Array.ForEach(rings, static ring => ring.Dispose());
        }
    }

    [Fact]
    public async Task An_open_that_waits_gets_the_ring_when_it_is_created()
    {
        Task<SharedRing> opening = Task.Run(() => SharedRing.OpenWhenCreated(Name, Timeout.InfiniteTimeSpan));
        await Task.Delay(200);
        Assert.False(opening.IsCompleted);
        SharedRing ring = Create(64);
        await Eventually.Ends(opening, "the ring is opened");
        Assert.Equal(ring.Id, Keep(await opening).Id);
        Assert.Equal(ring.Id, Keep(SharedRing.OpenWhenCreated(Name, TimeSpan.Zero)).Id);
    }

    [Fact]
    public void An_open_that_waits_ends_with_its_time_its_token_or_a_file_that_is_no_ring()
    {
        string message = Assert.Throws<TimeoutException>(() => SharedRing.OpenWhenCreated(Name, TimeSpan.FromMilliseconds(50))).Message;
        Assert.Contains($"the ring \"{Name}\"", message, StringComparison.Ordinal);
        Assert.Contains("CreateOrOpen", message, StringComparison.Ordinal);
        using CancellationTokenSource soon = new(50);
        Assert.Throws<OperationCanceledException>(
            () => SharedRing.OpenWhenCreated(Name, Timeout.InfiniteTimeSpan, cancellationToken: soon.Token));
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => SharedRing.OpenWhenCreated(Name, TimeSpan.FromSeconds(-2)));
        Assert.Throws<ArgumentException>("name", () => SharedRing.OpenWhenCreated("", TimeSpan.Zero));
        Keep(SharedRegion.Create(Name, 100));
        Assert.Throws<InvalidDataException>(() => SharedRing.OpenWhenCreated(Name, Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public void Messages_speak_of_a_ring_where_it_is_one()
    {
        Assert.Contains(
            $"no ring \"{Name}\"", Assert.Throws<FileNotFoundException>(() => SharedRing.Open(Name)).Message, StringComparison.Ordinal);
        Assert.Contains(
            $"no shared region \"{Name}\"", Assert.Throws<FileNotFoundException>(() => SharedRegion.Open(Name)).Message,
            StringComparison.Ordinal);
        Create(100);
        Assert.Contains(
            "created a ring of 128 bytes of messages", Assert.Throws<IOException>(() => SharedRing.Create(Name, 64)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [LongInlineData(false)]
    public async Task A_writer_that_fills_the_ring_of_a_reader_before_its_time_waits_for_the_next_one(bool isKilled)
    {
        SharedRing maker = Create(64);
        RingChild before = Child();
        Assert.Equal("done", before.Ask("attach-reader"));
        End(before, isKilled);
        SharedRing writer = Open();
        Task writing = OnThread(() => TestChild.RingWork.Write(writer, 0, 100, pauses: null));
        await Task.Delay(300);
        Assert.False(writing.IsCompleted);

        RingChild reader = Child();
        Assert.Equal("done", reader.Ask("read 0 100"));
        await Eventually.Ends(writing, "all is written");
        Assert.Equal(reader.Id, maker.ReaderProcessId);

        // This one it has met.
        while (writer.TryWrite(new byte[32]))
        {
        }

        End(reader, isKilled);
        Assert.Equal(reader.Id, Assert.Throws<SharedPeerLostException>(() => writer.Write(new byte[32])).ProcessId);
    }

    [Theory]
    [InlineData(true)]
    [LongInlineData(false)]
    public async Task A_reader_whose_predecessor_read_all_of_a_writer_that_is_gone_waits_for_the_next_one(bool isKilled)
    {
        Create(64);
        RingChild second = Child();
        Assert.Equal("done", second.Ask("write 0 1"));
        using (SharedRing first = SharedRing.Open(Name))
        {
            TestChild.RingWork.Read(first, 0, 1, pauses: null);
        }

        End(second, isKilled);
        SharedRing reader = Open();
        Task reading = OnThread(() => TestChild.RingWork.Read(reader, 1, 1, pauses: null));
        await Task.Delay(300);
        Assert.False(reading.IsCompleted);
        Assert.Equal("done", Child().Ask("write 1 1"));
        await Eventually.Ends(reading, "the successor's message is read");
    }

    [Theory]
    [InlineData(true)]
    [LongInlineData(false)]
    public async Task With_the_option_a_wait_outlives_the_exits_of_many_peers(bool isKilled)
    {
        SharedRing maker = Create(64);
        using SharedRing ring = SharedRing.Open(Name);
        ring.AwaitSuccessor = true;
        Task reading = OnThread(() => TestChild.RingWork.Read(ring, 0, 9, pauses: null));
        for (int writer = 0; writer < 3; writer++)
        {
            RingChild child = Child();
            Assert.Equal("done", child.Ask($"write {writer * 3} 3"));
            End(child, isKilled);
            await Task.Delay(150);
        }

        await Eventually.Ends(reading, "all is read");
        ring.Dispose();
        using SharedRing full = SharedRing.Open(Name);
        full.AwaitSuccessor = true;
        Task writing = OnThread(() => TestChild.RingWork.Write(full, 9, 90, pauses: null));
        for (int reader = 0; reader < 3; reader++)
        {
            RingChild child = Child();
            Assert.Equal("done", child.Ask($"read {9 + (reader * 30)} 30"));
            End(child, isKilled);
            await Task.Delay(150);
        }

        await Eventually.Ends(writing, "all is written");
        maker.Validate();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_wait_for_a_successor_that_cannot_come_ends(bool isPatient)
    {
        SharedRing ring = Create(64);
        ring.AwaitSuccessor = isPatient;
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 1"));
        TestChild.RingWork.Read(ring, 0, 1, pauses: null);
        writer.Kill();
        if (!isPatient)
        {
            string first = Assert.Throws<SharedPeerLostException>(() => ring.Read([])).Message;
            Assert.Contains("Call again to wait for its successor", first, StringComparison.Ordinal);
            Assert.Contains("SharedRing.AwaitSuccessor", first, StringComparison.Ordinal);
        }

        Assert.True(SharedRegion.Delete(Name));
        foreach (int _ in (int[])[1, 2])
        {
            string message = Assert.Throws<SharedPeerLostException>(() => ring.Read([])).Message;
            Assert.Contains("no successor can open it", message, StringComparison.Ordinal);
        }

        using SharedRing other = SharedRing.Create(Name, 64);
        Assert.Throws<SharedPeerLostException>(() => ring.Read([]));
    }

    private static void End(RingChild child, bool isKilled)
    {
        if (isKilled)
        {
            child.Kill();
        }
        else
        {
            Assert.Equal("done", child.Ask("dispose"));
        }
    }
}
