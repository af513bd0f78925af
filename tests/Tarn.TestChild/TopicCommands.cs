using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// The writer of a topic, or one of its readers, controlled by lines on standard input. Each line is answered by one on standard output:
/// the requested for, or the exception. Ends with the input.
/// </summary>
internal static class TopicCommands
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);
    private static SharedTopic? s_topic;
    private static SharedTopicReader? s_reader;

    private static SharedTopic Topic => s_topic!;

    private static SharedTopicReader Reader => s_reader!;

    internal static void Run(string[] arguments) => ChildCommands.Run(Obey);

    private static string Obey(string[] words)
    {
        switch (words[0])
        {
            case "interval":
                WaitingSide.MillisecondsBetweenLooks = int.Parse(words[1]);
                return "done";
            case "open":
                s_topic = SharedTopic.Open(words[1]);
                return "done";
            case "reader":
                s_reader = Topic.OpenReader(words.Contains("oldest"), words.Contains("holds"));
                return $"{Reader.Position}";
            case "dispose":
                Topic.Dispose();
                return "done";
            case "dispose-reader":
                Reader.Dispose();
                return "done";
            case "begin":
                return Topic.TryBeginWrite(Topic.MaxMessageLength, out SharedRoom room) ? Fill(room) : "full";
            case "take":
                return Reader.TryBeginRead(out SharedMessage message) ? $"{message.Position}" : "empty";
            case "write":
                TopicWork.Write(Topic, long.Parse(words[1]), PausesOf(words, 2));
                return $"{Topic.Position}";
            case "read-to":
                return ReadTo(long.Parse(words[1]), PausesOf(words, 2));
            case "write-until-killed":
                TopicWork.Write(Topic, long.MaxValue, PausesOf(words, 1));
                return "done";
            case "read-until-killed":
                TopicWork.ReadUntilKilled(Reader, PausesOf(words, 1)!);
                return "done";
            default:
                throw new ArgumentException($"There is no command {words[0]}.", nameof(words));
        }
    }

    /// <summary>Reads as far as a position, or beyond it if it loses messages. Answers how many it read and lost.</summary>
    private static string ReadTo(long end, Random? pauses)
    {
        long count = 0;
        while (Reader.Position < end)
        {
            RingWork.Pause(pauses);
            if (!TopicWork.TryRead(Reader, s_long, pauses))
            {
                throw new TimeoutException($"There was no message {Reader.Position} for {s_long}.");
            }

            count++;
        }

        return $"{count} {Reader.LostCount}";
    }

    private static string Fill(SharedRoom room)
    {
        room.Span.Fill(0xEE);
        return "done";
    }

    private static Random? PausesOf(string[] words, int at) => words.Length > at ? new Random(int.Parse(words[at])) : null;
}
