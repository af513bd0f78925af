using System.Diagnostics;
using Tarn.TestChild;
using Xunit.Abstractions;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// kill -9 at random moments, of writers and readers, each followed by its successor: nothing is torn, and nothing is lost that a writer
/// logged as written.
/// </summary>
public sealed class RingStormTests(ITestOutputHelper output) : RingTest
{
    private static readonly int s_leastKills = StressLength.Times(3, 8);

    private readonly Random _random = new();
    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private RingChild? _next;
    private int _kills;

    /// <summary>A round ends after some of this, when the process to be killed has begun its work.</summary>
    private int Milliseconds => _random.Next(4) == 0 ? 0 : _random.Next(12);

    /// <summary>Not before a message came through: the processes of the first rounds may be killed before their first one.</summary>
    private bool IsOver(bool hasMessages) => hasMessages && _kills >= s_leastKills && _elapsed.Elapsed > StressLength.Duration;

    public override void Dispose()
    {
        output.WriteLine($"{_kills} rounds of kills in {_elapsed.Elapsed.TotalSeconds:F0} s");
        base.Dispose();
    }

    [Theory]
    [InlineData(64)]
    [InlineData(4096)]
    [InlineData(1 << 18)]
    public void Of_writers(int capacity)
    {
        SharedRing ring = Create(capacity);
        RingLog log = Keep(RingLog.Create(Name));
        RingTally tally = new(log, ring.MaxMessageLength);
        byte[] bytes = new byte[ring.MaxMessageLength];
        for (; !IsOver(tally.Messages > 0); _kills++)
        {
            RingChild writer = Next();
            writer.Tell($"write-until-killed {_kills}");
            ReadUntil(ring, tally, bytes, log, writer);
            writer.Kill();
            ReadRest(ring, tally, bytes);
            tally.VerifyEnd(_kills);
            ring.Validate();
            if (log.Written(_kills) > 0)
            {
                Assert.Equal((writer.Id, false), Lost(ring, bytes));
            }

            writer.Dispose();
        }
    }

    [Theory]
    [InlineData(64)]
    [InlineData(4096)]
    public async Task Of_readers(int capacity)
    {
        SharedRing ring = Create(capacity);
        RingLog log = Keep(RingLog.Create(Name));
        using CancellationTokenSource end = new();
        Task writing = OnThread(() => WriteUntil(ring, log, end.Token));
        for (; !IsOver(log.Passed > 0); _kills++)
        {
            RingChild reader = Next();
            ulong before = log.Passed;
            reader.Tell("read-until-killed");
            int milliseconds = Milliseconds;
            Eventually.True(
                () => log.Passed != before || reader.Interjection is not null || writing.IsCompleted || milliseconds == 0,
                "no reader reads");
            Thread.Sleep(milliseconds);
            Assert.Null(reader.Interjection);
            if (writing.IsCompleted)
            {
                await writing;
            }

            reader.Kill();
            reader.Dispose();
        }

        await end.CancelAsync();
        await Eventually.Ends(writing, "the writer ends");
        RingTally tally = new(log, ring.MaxMessageLength);
        ring.Validate();
        ReadRest(ring, tally, new byte[ring.MaxMessageLength]);
        tally.VerifyEnd(0);
    }

    [Theory]
    [InlineData(64)]
    [InlineData(4096)]
    public void Of_both_by_turns(int capacity)
    {
        SharedRing ring = Create(capacity);
        RingLog log = Keep(RingLog.Create(Name));
        long generation = 0;
        RingChild writer = Next();
        writer.Tell($"write-until-killed {generation}");
        RingChild reader = Next();
        reader.Tell("read-until-killed");
        for (; !IsOver(log.Passed > 0); _kills++)
        {
            ulong before = log.Passed;
            int milliseconds = Milliseconds;
            Eventually.True(
                () => log.Passed != before || reader.Interjection is not null || writer.Interjection is not null || milliseconds == 0,
                "nobody works");
            Thread.Sleep(milliseconds);
            Assert.Null(reader.Interjection);
            Assert.Null(writer.Interjection);
            int who = _random.Next(5);
            if (who <= 2)
            {
                writer.Kill();
            }

            if (who >= 2)
            {
                reader.Kill();
                reader.Dispose();
                reader = Next();
                reader.Tell("read-until-killed");
            }

            if (who <= 2)
            {
                writer.Dispose();
                writer = Next();
                writer.Tell($"write-until-killed {++generation}");
            }
        }

        writer.Kill();
        reader.Kill();
        ring.Validate();
        RingTally tally = new(log, ring.MaxMessageLength);
        ReadRest(ring, tally, new byte[ring.MaxMessageLength]);
        tally.VerifyEnd(generation);
    }

    /// <summary>Returns the next process, and starts the one after it, so that no test waits for a start.</summary>
    private RingChild Next()
    {
        RingChild child = _next ?? Keep(new RingChild());
        _next = Keep(new RingChild());
        child.Open(Name);
        return child;
    }

    /// <summary>Reads for a random time, by waiting and by trying.</summary>
    private void ReadUntil(SharedRing ring, RingTally tally, byte[] bytes, RingLog log, RingChild writer)
    {
        int milliseconds = Milliseconds;
        if (milliseconds > 0)
        {
            Eventually.True(() => log.Written(_kills) > 0 || writer.Interjection is not null, "no writer writes");
        }

        using CancellationTokenSource end = new(milliseconds);
        try
        {
            while (true)
            {
                tally.Take(bytes.AsSpan(0, ring.Read(bytes, end.Token)));
                using SharedMessage message = ring.BeginRead(end.Token);
                tally.Take(message.Span);
                message.Pass();
            }
        }
        catch (OperationCanceledException)
        {
            Assert.Null(writer.Interjection);
        }
    }

    private static void ReadRest(SharedRing ring, RingTally tally, byte[] bytes)
    {
        while (ring.TryRead(bytes, out int length))
        {
            tally.Take(bytes.AsSpan(0, length));
        }
    }

    private static (int ProcessId, bool HasLeft) Lost(SharedRing ring, byte[] bytes)
    {
        using CancellationTokenSource soon = new(TimeSpan.FromMinutes(1));
        SharedPeerLostException e = Assert.Throws<SharedPeerLostException>(() => ring.Read(bytes, soon.Token));
        return (e.ProcessId, e.HasLeft);
    }

    private static void WriteUntil(SharedRing ring, RingLog log, CancellationToken end)
    {
        for (long index = 0; ; index++)
        {
            Volatile.Write(ref log.Begun(0), index + 1);
            while (true)
            {
                try
                {
                    ring.Write(Message(ring, index), end);
                    break;
                }
                catch (SharedPeerLostException)
                {
                    // Its successor comes.
                }
                catch (OperationCanceledException)
                {
                    return;
                }
            }

            Volatile.Write(ref log.Written(0), index + 1);
        }
    }
}
