using System.Globalization;
using Tarn.Lab.Server;

// tarn-server POOL [SETTING=VALUE]...: serves until its input ends, and answers each line of input with a line of counters.
if (args is not [{ } pool, .. var settings])
{
    Console.Error.WriteLine(
        "Use: tarn-server default | tarn | tarn:CAP | memory-pool | memory-pool:BYTES [SETTING=VALUE]...\n"
        + "CAP is the most pooled bytes, BYTES the size of a block. Settings: ServerSettings.cs.");
    return 2;
}

await using LoadedServer server = await LoadedServer.StartAsync(pool, settings);
Console.WriteLine($"ready {string.Join(' ', server.Ports.Select(port => port.ToString(CultureInfo.InvariantCulture)))}");
while (await Console.In.ReadLineAsync() is not null)
{
    Console.WriteLine(server.ReadCounters());
}

return 0;
