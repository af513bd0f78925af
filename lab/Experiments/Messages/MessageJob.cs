namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// The other process: executes commands line by line, until the first process sends no more. It stays alive, so that its code is compiled
/// once and contenders can take turns of milliseconds.
/// </summary>
internal sealed class MessageJob : IChildJob
{
    public const string JobName = "messages";

    public string Name => JobName;

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        using MessageWorker worker = new();
        while (Console.In.ReadLine() is { } line)
        {
            Console.WriteLine(worker.Do(MessageOrder.Parse(line)));
        }

        return new Dictionary<string, double>();
    }
}
