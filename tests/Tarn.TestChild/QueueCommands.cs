using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A member of a queue, controlled by lines on standard input. Each line is answered by one on standard output: the requested for, or the
/// exception. Ends with the input.
/// </summary>
internal static class QueueCommands
{
    private static SharedQueue? s_queue;

    private static SharedQueue Queue => s_queue!;

    internal static void Run(string[] arguments) => ChildCommands.Run(Obey);

    private static string Obey(string[] words)
    {
        switch (words[0])
        {
            case "interval":
                WaitingSide.MillisecondsBetweenLooks = int.Parse(words[1]);
                return "done";
            case "open":
                s_queue = SharedQueue.Open(words[1]);
                return "done";
            case "dispose":
                Queue.Dispose();
                return "done";
            case "begin":
                return Queue.TryBeginWrite(Queue.MaxMessageLength, out SharedRoom room) ? Fill(room) : "full";
            case "take":
                return Queue.TryBeginRead(out SharedMessage message)
                    ? $"{QueueLog.Identify(message.Span, Queue.MaxMessageLength)}"
                    : "empty";
            case "write":
                QueueWork.Write(Queue, long.Parse(words[1]), int.Parse(words[2]), PausesOf(words, 3));
                return "done";
            case "read":
                return $"{QueueWork.Read(Queue, int.Parse(words[1]), PausesOf(words, 2))}";
            case "write-until-killed":
                QueueWork.WriteUntilKilled(Queue, QueueLog.Open(Queue.Name), long.Parse(words[1]));
                return "done";
            case "read-until-killed":
                QueueWork.ReadUntilKilled(Queue, QueueLog.Open(Queue.Name), int.Parse(words[1]));
                return "done";
            default:
                throw new ArgumentException($"There is no command {words[0]}.", nameof(words));
        }
    }

    private static string Fill(SharedRoom room)
    {
        room.Span.Fill(0xEE);
        return "done";
    }

    private static Random? PausesOf(string[] words, int at) => words.Length > at ? new Random(int.Parse(words[at])) : null;
}
