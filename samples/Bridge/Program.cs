using Samples;
using Tarn;
using Tarn.SharedMemory;

Options options;
try
{
    options = Options.Parse(args);
}
catch (FormatException wrong)
{
    Console.Error.WriteLine($"{wrong.Message}\n{Options.Usage}");
    return 2;
}

if (options.Command.Length == 0)
{
    return await Demonstration.RunAsync(options);
}

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = true;
    stop.Cancel();
};
Broker broker = new(options.Broker, options.Queue);
using SharedRing ring = SharedRing.Open(options.Ring);
try
{
    await (options.Command == "send"
        ? new Sender(ring, broker).RunAsync(stop.Token)
        : new Receiver(ring, broker, options.OriginFile).RunAsync(stop.Token));
}
catch (OperationCanceledException)
{
    // Ctrl+C. A kill does as well: the next start continues.
}

return 0;
