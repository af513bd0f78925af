using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A writer or a reader of a queue, a topic or a value, which works until it is killed. Says "ready", and then gets a line: the work, the
/// name, and a number of its own. Says more only if it finds something wrong.
/// </summary>
internal static class Sharer
{
    internal const string QueueWriter = "queue-writer";
    internal const string QueueReader = "queue-reader";
    internal const string TopicWriter = "topic-writer";
    internal const string TopicReader = "topic-reader";
    internal const string TopicHolder = "topic-holder";

    /// <summary>Never reads; every other one holds the writer of the topic back.</summary>
    internal const string TopicSleeper = "topic-sleeper";
    internal const string ValueWriter = "value-writer";
    internal const string ValueReader = "value-reader";

    internal static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        if (Console.ReadLine() is not { } line)
        {
            return;
        }

        string[] words = line.Split(' ');
        (string name, int number) = (words[1], int.Parse(words[2]));
        switch (words[0])
        {
            case QueueWriter:
                QueueWork.WriteUntilKilled(SharedQueue.Open(name), QueueLog.Open(name), number);
                break;
            case QueueReader:
                QueueWork.ReadUntilKilled(SharedQueue.Open(name), QueueLog.Open(name), number);
                break;
            case TopicWriter:
                WriteTopic(SharedTopic.Open(name), new Random(number));
                break;
            case TopicReader:
                TopicWork.ReadUntilKilled(SharedTopic.Open(name).OpenReader(fromOldest: number % 2 == 0), new Random(number));
                break;
            case TopicHolder:
                TopicWork.ReadUntilKilled(
                    SharedTopic.Open(name).OpenReader(fromOldest: number % 2 == 0, holdsWriter: true), new Random(number));
                break;
            case TopicSleeper:
                using (SharedTopic topic = SharedTopic.Open(name))
                using (SharedTopicReader reader = topic.OpenReader(holdsWriter: number % 2 == 1))
                {
                    Thread.Sleep(Timeout.Infinite);
                }

                break;
            case ValueWriter:
                TestChild.ValueWriter.WriteUntilKilled(SharedValue<WideValue>.Open(name));
                break;
            case ValueReader:
                ReadValue(SharedValue<WideValue>.Open(name));
                break;
            default:
                throw new ArgumentException($"There is no work {words[0]}.", nameof(arguments));
        }
    }

    /// <summary>A reader that never reads may hold it back for long.</summary>
    private static void WriteTopic(SharedTopic topic, Random pauses)
    {
        while (true)
        {
            RingWork.Pause(pauses);
            TopicWork.TryWrite(topic, TimeSpan.FromSeconds(1), pauses);
        }
    }

    private static void ReadValue(SharedValue<WideValue> value)
    {
        for (long last = 0; ;)
        {
            if (value.TryRead(out WideValue read, out long version) && (read.Number != version || version < last))
            {
                throw new InvalidDataException($"Version {version} after {last} is {read.Number}.");
            }

            last = version;
            value.WaitForChange(version, TimeSpan.FromSeconds(1));
        }
    }
}
