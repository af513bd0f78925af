using System.Globalization;
using Samples;

// The same program is all processes: it starts itself once more as the server, and once as a client that is killed.
switch (args)
{
    case []:
        return await Demonstration.RunAsync(5_000);
    case ["--requests", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int requests) && requests > 0:
        return await Demonstration.RunAsync(requests);
    case ["serve", string name]:
        return await Server.RunAsync(name);
    case ["hang", string name, string version] when Version.TryParse(version, out Version? asked):
        return await Client.HangAsync(name, asked);
    default:
        Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}. Usage: [--requests <number from 1>]");
        return 2;
}
