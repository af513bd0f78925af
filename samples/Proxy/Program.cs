using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Samples;

switch (args)
{
    case []:
        return await Load.RunAsync(512);
    case ["--load", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int mebibytes) && mebibytes > 0:
        return await Load.RunAsync(mebibytes);
    case ["--listen", string from, "--to", string to]
        when IPEndPoint.TryParse(from, out IPEndPoint? listen) && IPEndPoint.TryParse(to, out IPEndPoint? target):
        using (Socket listener = Relay.Listen(listen))
        using (CancellationTokenSource stop = new())
        {
            Console.CancelKeyPress += (_, e) =>
            {
                e.Cancel = true;
                stop.Cancel();
            };
            Console.WriteLine($"Carries {listener.LocalEndPoint} to {target}. Ctrl+C ends it.");
            await new Relay(target).RunAsync(listener, stop.Token);
            return 0;
        }

    default:
        Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}.");
        Console.Error.WriteLine("Usage: [--load <MiB from 1>] [--listen <address:port> --to <address:port>]");
        return 2;
}
