using System.Collections.Concurrent;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// The other process: executes commands line by line, until the first process sends no more. It stays alive, so that its code is compiled
/// once and contenders can take turns of milliseconds.
/// </summary>
/// <remarks>
/// Its work waits for the first process, some of it by spinning. So another thread reads the commands: it sees when the first process is
/// gone, and ends this one.
/// </remarks>
internal sealed class MessageJob : IChildJob
{
    public const string JobName = "messages";

    private const int MillisecondsToEnd = 2_000;

    public string Name => JobName;

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        using MessageWorker worker = new();
        BlockingCollection<string> lines = [];
        new Thread(() => Read(lines)) { IsBackground = true, Name = "Commands" }.Start();
        foreach (string line in lines.GetConsumingEnumerable())
        {
            Console.WriteLine(worker.Do(MessageOrder.Parse(line)));
        }

        return new Dictionary<string, double>();
    }

    private static void Read(BlockingCollection<string> lines)
    {
        while (Console.In.ReadLine() is { } line)
        {
            lines.Add(line);
        }

        lines.CompleteAdding();
        Thread.Sleep(MillisecondsToEnd);
        Console.Error.WriteLine("The process that gives the commands is gone, and work for it was still in progress.");
        Environment.Exit(1);
    }
}
