
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Two live processes: each reads the other's messages, sleepers are woken, and each place is taken once.</summary>
public sealed class RingProcessTests : RingTest
{
    /// <summary>An hour: a sleeper is woken by the other process or not at all.</summary>
    private const string NoLooks = "interval 3600000";

    [Theory]
    [LongInlineData(64, 20_000)]
    [InlineData(1000, 50_000)]
    [LongInlineData(1 << 20, 500)]
    public void Messages_of_random_lengths_come_in_order_and_whole(int capacity, int count)
    {
        Create(capacity);
        RingChild writer = Child();
        RingChild reader = Child();

        writer.Tell($"write 0 {count}");
        Assert.Equal("done", reader.Ask($"read 0 {count}"));
        Assert.Equal("done", writer.Answer());
    }

    [Fact]
    public void The_creator_of_a_ring_reads_messages_of_another_process_and_vice_versa()
    {
        SharedRing ring = Create(4096);
        RingChild child = Child();

        child.Tell("write 0 5000");
        TestChild.RingWork.Read(ring, 0, 5000, pauses: null);
        Assert.Equal("done", child.Answer());
        Assert.Equal($"{child.Id} {Environment.ProcessId}", child.Ask("processes"));
        Assert.Equal((child.Id, Environment.ProcessId), (ring.WriterProcessId, ring.ReaderProcessId));

        Assert.Equal("done", child.Ask("dispose"));
        RingChild other = Child();
        ring.Dispose();
        Assert.StartsWith("FileNotFoundException", other.Ask($"open {Name}"), StringComparison.Ordinal);
        Assert.Equal("0 0", other.Ask("processes"));
    }

    /// <summary>A side that finds nothing sleeps until it is woken. With a lost wake the test would not end.</summary>
    [Fact]
    public void No_wake_is_lost_when_both_sides_sleep_again_and_again()
    {
        Create(64);
        SharedRing back = Create(64, "-back");
        RingChild ping = Child();
        RingChild echo = Child();
        Assert.Equal("done", ping.Ask(NoLooks));
        Assert.Equal("done", echo.Ask(NoLooks));
        int count = RandomProgram.Steps(perSecond: 2000);
        int seed = Random.Shared.Next();

        echo.Tell($"echo {back.Name} {count} {seed}");
        ping.Tell($"ping {back.Name} {count} {seed + 1}");

        Assert.True(ping.Answer() == "done" && echo.Answer() == "done", $"Seed {seed} failed.");
    }

    /// <summary>
    /// One side waits as soon as it can, and its event happens when it stops spinning: between its last look and its sleep, too.
    /// </summary>
    [Theory]
    [LongInlineData("write-slowly", "read")]
    [LongInlineData("write", "read-slowly")]
    [InlineData("write-slowly", "read-slowly")]
    public void No_wake_is_lost_when_it_comes_as_the_sleeper_goes_to_sleep(string write, string read)
    {
        Create(64);
        RingChild writer = Child();
        RingChild reader = Child();
        Assert.Equal("done", writer.Ask(NoLooks));
        Assert.Equal("done", reader.Ask(NoLooks));
        int count = RandomProgram.Steps(perSecond: 8000);
        int seed = Random.Shared.Next();

        writer.Tell($"{write} 0 {count} {seed}");
        reader.Tell($"{read} 0 {count} {seed + 1}");

        Assert.Equal(("done", "done"), (writer.Answer(), reader.Answer()));
    }

    /// <summary>Each of these wakes a sleeper, which would otherwise notice it only at its timeout.</summary>
    [Theory]
    [InlineData("dispose-later read", "ObjectDisposedException")]
    [LongInlineData("dispose-later write", "ObjectDisposedException")]
    [LongInlineData("cancel-later read", "OperationCanceledException")]
    [InlineData("cancel-later write", "OperationCanceledException")]
    public void Dispose_and_cancellation_wake_a_sleeper(string command, string exception)
    {
        Create(64);
        RingChild child = Child();
        Assert.Equal("done", child.Ask(NoLooks));

        for (int time = 0; time < 5; time++)
        {
            Assert.StartsWith(exception, child.Ask($"{command} {time * 10}"), StringComparison.Ordinal);
            Assert.Equal("done", child.Ask($"open-again {Name}"));
        }
    }

    /// <summary>The reader takes its role first: it is not told of a writer that left before.</summary>
    [Fact]
    public void A_sleeper_is_woken_when_the_other_side_leaves()
    {
        Create(64);
        RingChild writer = Child();
        RingChild reader = Child();
        Assert.Equal("done", reader.Ask(NoLooks));
        Assert.Equal("done", reader.Ask("attach-reader"));
        for (int time = 0; time < 10; time++)
        {
            Assert.Equal("done", writer.Ask("attach-writer"));
            reader.Tell("read 0 1");
            Thread.Sleep(time * 5);
            Assert.Equal("done", writer.Ask("dispose"));
            Assert.Equal($"lost {writer.Id} True", reader.Answer());
            Assert.Equal("done", writer.Ask($"open {Name}"));
        }
    }

    [Theory]
    [InlineData("read 0 1")]
    [LongInlineData("write 27 1")]
    public void A_waiting_side_sleeps(string command)
    {
        SharedRing ring = Create(64);
        RingChild child = Child();
        bool reads = command.StartsWith("read", StringComparison.Ordinal);
        Assert.Equal("done", child.Ask(reads ? "attach-reader" : "attach-writer"));
        if (!reads)
        {
            Assert.NotEqual("0", child.Ask("fill"));
        }

        long before = long.Parse(child.Ask("cpu"));
        child.Tell(command);
        Thread.Sleep(1500);
        if (reads)
        {
            ring.Write(Message(ring, 0));
        }
        else
        {
            while (ring.TryRead(new byte[32], out _))
            {
            }
        }

        Assert.Equal("done", child.Answer());

        // A spinning side uses the whole time; a sleeping one, almost none.
        Assert.InRange(long.Parse(child.Ask("cpu")) - before, 0, 750);
    }

    [Fact]
    public void A_second_process_is_refused_a_place_that_is_taken_and_the_first_goes_on()
    {
        SharedRing ring = Create(4096);
        RingChild first = Child();
        RingChild second = Child();
        Assert.Equal("done", first.Ask("write 0 1"));
        Assert.Equal("done", second.Ask("attach-reader"));

        foreach (string command in (string[])["attach-writer", "write 5 1", "fill"])
        {
            string answer = second.Ask(command);
            Assert.StartsWith("InvalidOperationException", answer, StringComparison.Ordinal);
            Assert.EndsWith($"writer already, which must dispose its ring first: process {first.Id}.", answer, StringComparison.Ordinal);
        }

        Assert.EndsWith(
            $"reader already, which must dispose its ring first: process {second.Id}.", first.Ask("attach-reader"),
            StringComparison.Ordinal);
        Assert.Contains($"{first.Id}", Assert.Throws<InvalidOperationException>(ring.AttachWriter).Message, StringComparison.Ordinal);
        Assert.Contains(
            $"{second.Id}", Assert.Throws<InvalidOperationException>(() => ring.TryRead([], out _)).Message, StringComparison.Ordinal);
        Assert.Equal("done", first.Ask("write 1 9"));
        Assert.Equal("done", second.Ask("read 0 10"));
        Assert.Equal((first.Id, second.Id), (ring.WriterProcessId, ring.ReaderProcessId));
    }

    [Fact]
    public void Of_processes_that_attach_at_once_one_becomes_the_writer()
    {
        SharedRing ring = Create(64);
        RingChild[] children = [.. Enumerable.Range(0, 4).Select(_ => Keep(new RingChild()))];
        Array.ForEach(children, child => child.Open(Name));

        for (int round = 0; round < 50; round++)
        {
            Array.ForEach(children, static child => child.Tell("attach-writer"));
            RingChild[] writers = [.. children.Where(static child => child.Answer() == "done")];

            RingChild writer = Assert.Single(writers);
            Assert.Equal(writer.Id, ring.WriterProcessId);
            Assert.Equal("done", writer.Ask("dispose"));
            Assert.Equal("done", writer.Ask($"open {Name}"));
        }
    }
}
