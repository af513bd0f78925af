using System.Diagnostics;
using Tarn.TestChild;
using Xunit.Abstractions;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// kill -9 at random moments, and now and then a stop, of a writer and of readers of both kinds, each followed by its successor. Every
/// reader examines each message it gets, and its count of lost ones. A reader of the test, which is never killed and holds the writer back,
/// gets every message once.
/// </summary>
public sealed class TopicStormTests(ITestOutputHelper output) : TopicTest
{
    private static readonly int s_leastKills = StressLength.Times(4, 10);

    private readonly Random _random = new();
    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private TopicChild? _next;

    [Theory]
    [LongInlineData(1)]
    [InlineData(7)]
    [LongInlineData(256)]
    public async Task Of_a_writer_and_readers(int capacity)
    {
        SharedTopic topic = CreateTopic(capacity, 300);
        bool isOver = false;
        using SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        Task reading = OnThread(() =>
        {
            while (TopicWork.TryRead(reader, TimeSpan.FromMilliseconds(100)) || !Volatile.Read(ref isOver))
            {
            }
        });
        string[] work = ["", "reader oldest holds", "reader holds", "reader oldest", "reader"];
        TopicChild[] children = [.. work.Select(Begin)];
        int kills = 0;
        for (int stops = 0; kills < s_leastKills || _elapsed.Elapsed < StressLength.Duration;)
        {
            WaitForWork(reader, children);
            int who = _random.Next(3) == 0 ? 0 : _random.Next(work.Length);
            if (_random.Next(5) > 0 || !SharingChild.CanStop)
            {
                children[who].Kill();
                children[who].Dispose();
                children[who] = Begin(work[who]);
                kills++;
            }
            else
            {
                children[who].Stop();
                Thread.Sleep(_random.Next(150));
                children[who].Continue();
                stops++;
            }
        }

        Array.ForEach(children, static child => child.Kill());
        Volatile.Write(ref isOver, true);
        await Eventually.Ends(reading, "the reader of the test ends");
        output.WriteLine($"{topic.Position} messages, {kills} killed");
        Assert.Equal((topic.Position, 0), (reader.Position, reader.LostCount));
        Assert.True(topic.Position > 0);
        Write(topic, 0);
        Assert.Equal((1, 0), (topic.HoldingReaderCount, topic.WriterProcessId));
        topic.Validate();
    }

    /// <summary>Starts work, and the process after it, so that no test waits for a start.</summary>
    private TopicChild Begin(string reader)
    {
        TopicChild child = _next ?? Keep(new TopicChild());
        _next = Keep(new TopicChild());
        child.Open(Name);
        if (reader.Length > 0)
        {
            Assert.True(long.TryParse(child.Ask(reader), out _));
            child.Tell($"read-until-killed {_random.Next()}");
        }
        else
        {
            child.Tell($"write-until-killed {_random.Next()}");
        }

        return child;
    }

    /// <summary>Mostly until some messages were read, and a little longer; now and then not at all.</summary>
    private void WaitForWork(SharedTopicReader reader, TopicChild[] children)
    {
        if (_random.Next(4) > 0)
        {
            long before = reader.Position;
            SpinWait.SpinUntil(() => reader.Position > before || children.Any(static child => child.Interjection is not null), 60_000);
            Assert.True(reader.Position > before || children.Any(static child => child.Interjection is not null), "the writer goes on");
            Thread.Sleep(_random.Next(12));
        }

        Assert.All(children, static child => Assert.Null(child.Interjection));
    }
}
