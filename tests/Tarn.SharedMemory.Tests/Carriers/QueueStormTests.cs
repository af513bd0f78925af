using System.Diagnostics;
using Tarn.TestChild;
using Xunit.Abstractions;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// kill -9 at random moments, and now and then a stop, of several writers and readers, each followed by its successor: no message is torn,
/// none is lost that a writer logged as written, and none comes twice but those of killed readers.
/// </summary>
public sealed class QueueStormTests(ITestOutputHelper output) : QueueTest
{
    private static readonly int s_leastKills = StressLength.Times(3, 8);

    private readonly Random _random = new();
    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private QueueChild? _next;
    private long _generations;
    private int _readers;
    private int _killedReaders;
    private int _killedWriters;

    [Theory]
    [InlineData(2, 2, 2)]
    [LongInlineData(8, 2, 1)]
    [LongInlineData(256, 1, 2)]
    public void Of_writers_and_readers(int capacity, int writers, int readers)
    {
        SharedQueue queue = CreateQueue(capacity, 300);
        QueueLog log = Keep(QueueLog.Create(Name));
        QueueChild[] writing = [.. Enumerable.Range(0, writers).Select(_ => Begin(writes: true))];
        QueueChild[] reading = [.. Enumerable.Range(0, readers).Select(_ => Begin(writes: false))];
        while (_killedReaders + _killedWriters < s_leastKills || _elapsed.Elapsed < StressLength.Duration)
        {
            WaitForWork(log, [.. writing, .. reading]);
            bool kills = _random.Next(5) > 0 || !SharingChild.CanStop;
            bool writes = _random.Next(writers + readers) < writers;
            ref QueueChild victim = ref (writes ? ref writing[_random.Next(writers)] : ref reading[_random.Next(readers)]);
            if (kills)
            {
                victim.Kill();
                victim.Dispose();
                victim = Begin(writes);
                _ = writes ? _killedWriters++ : _killedReaders++;
            }
            else
            {
                victim.Stop();
                Thread.Sleep(_random.Next(150));
                victim.Continue();
            }
        }

        Array.ForEach([.. writing, .. reading], static child => child.Kill());
        (_killedWriters, _killedReaders) = (_killedWriters + writers, _killedReaders + readers);
        ReadRest(queue, log);

        (long messages, long again) = log.Verify(_generations, _readers, queue.MaxMessageLength);
        output.WriteLine(
            $"{messages} messages, {again} again; {_killedWriters} writers and {_killedReaders} readers killed; "
                + $"{queue.SkippedCount} skipped, {queue.ReturnedCount} returned");
        Assert.InRange(again, 0, Math.Min(_killedReaders, queue.ReturnedCount));
        Assert.InRange(queue.SkippedCount, 0, _killedWriters);
        Assert.InRange(queue.ReturnedCount, 0, _killedReaders);
        Assert.True(messages > 0);
        Assert.Equal(1, queue.MemberCount);
        queue.Validate();
    }

    /// <summary>Starts work, and the process after it, so that no test waits for a start.</summary>
    private QueueChild Begin(bool writes)
    {
        QueueChild child = _next ?? Keep(new QueueChild());
        _next = Keep(new QueueChild());
        child.Open(Name);
        child.Tell(writes ? $"write-until-killed {_generations++}" : $"read-until-killed {_readers++}");
        return child;
    }

    /// <summary>
    /// Mostly until some messages were written, and a little longer; now and then not at all. Not for long, as a writer may have written
    /// all that it may.
    /// </summary>
    private void WaitForWork(QueueLog log, QueueChild[] children)
    {
        if (_random.Next(4) > 0)
        {
            long before = Sum(log);
            SpinWait.SpinUntil(() => Sum(log) > before || children.Any(static child => child.Interjection is not null), 500);
            Thread.Sleep(_random.Next(12));
        }

        Assert.All(children, static child => Assert.Null(child.Interjection));
    }

    private long Sum(QueueLog log)
    {
        long sum = 0;
        for (long generation = 0; generation < _generations; generation++)
        {
            sum += Volatile.Read(ref log.Written(generation));
        }

        return sum;
    }

    /// <summary>Reads what is left, until nothing more is there and every killed process was found.</summary>
    private static void ReadRest(SharedQueue queue, QueueLog log)
    {
        byte[] bytes = new byte[queue.MaxMessageLength];
        Eventually.True(
            () =>
            {
                while (queue.Read(bytes, out int length, TimeSpan.FromMilliseconds(250)))
                {
                    log.Note(bytes.AsSpan(0, length), queue.MaxMessageLength);
                }

                return queue.MemberCount == 1 && !queue.TryBeginRead(out _);
            },
            "the queue is empty");
        Assert.False(queue.Read(bytes, out _, TimeSpan.FromSeconds(2)));
    }
}
