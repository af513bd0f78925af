using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Many tasks wait at many rings: each message comes once, in order and whole, whatever ends the waits.</summary>
[Collection(nameof(TaskWaiters))]
public class RingAwaitStressTests : RingTest
{
    /// <summary>An hour: a task is woken by the other side or not at all.</summary>
    private const string NoLooks = "interval 3600000";

    [Theory]
    [LongInlineData(64, 4000)]
    [InlineData(1000, 10_000)]
    public async Task Awaited_messages_of_another_process_come_in_order_and_whole(int capacity, int count)
    {
        count = StressLength.Times(count / 5, count);
        SharedRing ring = Create(capacity);
        SharedRing back = Create(capacity, "-back");
        RingChild writer = Child();
        RingChild reader = Keep(RingChild.With(back.Name));

        writer.Tell($"await-writes 0 {count}");
        reader.Tell($"await-reads 0 {count}");
        await Eventually.AllEnd(
            [AwaitedRingWork.Read(ring, 0, count, pauses: null), AwaitedRingWork.Write(back, 0, count, pauses: null)],
            "both directions end");

        Assert.Equal(("done", "done"), (writer.Answer(), reader.Answer()));
    }

    /// <summary>With a lost wake the test would not end.</summary>
    [Theory]
    [LongInlineData("await-writes", "read-slowly")]
    [LongInlineData("write-slowly", "await-reads")]
    [InlineData("await-writes", "await-reads")]
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

        Assert.True(writer.Answer() == "done" && reader.Answer() == "done", $"Seed {seed} failed.");
    }

    [Fact]
    public async Task Many_rings_of_one_process_are_waited_for_at_once()
    {
        const int rings = 300;
        const int count = 40;
        Task[] all = [.. Enumerable.Range(0, rings).SelectMany(i =>
        {
            SharedRing ring = Create(64 << (i % 3), $"-{i}");
            return (Task[])
            [
                Task.Run(() => AwaitedRingWork.Read(ring, 0, count, new Random(i))),
                Task.Run(() => AwaitedRingWork.Write(ring, 0, count, new Random(-i))),
            ];
        })];

        await Eventually.AllEnd(all, "all messages are read");
    }

    /// <summary>Each wait is cancelled about when what it waits for comes.</summary>
    [Fact]
    public async Task Cancellation_that_races_with_a_message_loses_none()
    {
        const int count = 2000;
        SharedRing ring = Create(256);

        await Eventually.AllEnd([Task.Run(() => Write(ring, count)), Task.Run(() => Read(ring, count))], "all messages are read");
        Assert.False(ring.TryRead(new byte[256], out _));
    }

    private static async Task Write(SharedRing ring, int count)
    {
        Random random = new(1);
        for (int i = 0; i < count; i++)
        {
            byte[] message = Message(ring, i);
            while (!await EndsBeforeCancellation(token => ring.WaitToWriteAsync(message.Length, token), random))
            {
            }

            Assert.True(ring.TryWrite(message), $"There is no room for message {i}.");
            Thread.SpinWait(random.Next(3000));
        }
    }

    private static async Task Read(SharedRing ring, int count)
    {
        Random random = new(2);
        byte[] bytes = new byte[ring.MaxMessageLength];
        for (int i = 0; i < count; i++)
        {
            while (!await EndsBeforeCancellation(ring.WaitToReadAsync, random))
            {
            }

            Assert.True(ring.TryRead(bytes, out int length), $"There is no message {i}.");
            Assert.True(
                RingMessage.Is(bytes.AsSpan(0, length), RingMessage.NumberOf(0, i), ring.MaxMessageLength), $"Not message {i}.");
        }
    }

    private static async Task<bool> EndsBeforeCancellation(Func<CancellationToken, ValueTask> wait, Random random)
    {
        using CancellationTokenSource source = new();
        int spins = random.Next(3000);
        Task cancel = Task.Run(() =>
        {
            Thread.SpinWait(spins);
            source.Cancel();
        });
        try
        {
            await wait(source.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
        finally
        {
            await cancel;
        }
    }
}
