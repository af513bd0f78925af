using System.Diagnostics;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// The other process: opens its ends of the contenders and then executes commands line by line, until the first process sends no more. It
/// stays alive, so that its code is compiled once and contenders can take turns of milliseconds.
/// </summary>
internal sealed class MessageJob : IChildJob
{
    public const string JobName = "messages";

    /// <summary>Written when it is about to begin a command.</summary>
    public const string Ready = "ready";

    /// <summary>The pause between two single messages: long enough for the receiver to fall asleep.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(0.5);

    public string Name => JobName;

    /// <param name="arguments">Name and address of each contender.</param>
    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        MessageEnd[] ends = [.. arguments.Chunk(2).Select(pair => MessageRoute.Open(pair[0], pair[1]))];
        try
        {
            Console.WriteLine(Ready);
            while (Console.In.ReadLine() is { } line)
            {
                var task = MessageTask.Parse(line);
                ThreadPlacement.Run(task.Processor, () =>
                {
                    Console.WriteLine(Ready);
                    Console.WriteLine(Do(ends[task.Contender], task));
                });
            }
        }
        finally
        {
            foreach (MessageEnd end in ends)
            {
                end.Dispose();
            }
        }

        return new Dictionary<string, double>();
    }

    /// <summary>Executes a task and returns its result.</summary>
    private static string Do(MessageEnd end, MessageTask task)
    {
        switch (task.Kind)
        {
            case MessageTaskKind.Receive:
                return Receive(end, task).ToString();
            case MessageTaskKind.Echo:
                end.Echo(task.Length, task.Count);
                break;
            case MessageTaskKind.SendPaced:
                end.SendPaced(task.Length, task.Count, Pause);
                break;
        }

        return "";
    }

    /// <summary>Receives messages. The time includes waiting for the first message, which is not a wait between busy processes.</summary>
    private static MessageReceipt Receive(MessageEnd end, MessageTask task)
    {
        end.Receive(task.Length, first: 0, 1);
        long switches = ThreadSwitches.Read().Waits;
        end.Receive(task.Length, first: 1, task.Count - 1);
        return new MessageReceipt(Stopwatch.GetTimestamp(), ThreadSwitches.Read().Waits - switches);
    }
}
