using System.Globalization;
using Tarn.Lab.Server;

// tarn-server default|tarn|tarn:CAP: serves until its input ends, and answers each line of input with a line of counters.
if (args is not [{ } pool])
{
    Console.Error.WriteLine("Use: tarn-server default | tarn | tarn:CAP, where CAP is the most pooled bytes.");
    return 2;
}

await using LoadedServer server = await LoadedServer.StartAsync(pool);
Console.WriteLine($"ready {string.Join(' ', server.Ports.Select(port => port.ToString(CultureInfo.InvariantCulture)))}");
while (await Console.In.ReadLineAsync() is not null)
{
    Console.WriteLine(server.ReadCounters());
}

return 0;
