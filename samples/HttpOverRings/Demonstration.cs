using System.Diagnostics;
using System.Globalization;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>The client: starts the server as a process of its own, sends requests by turns, and kills processes.</summary>
internal static class Demonstration
{
    private const int MessageLength = 64;
    private const int Turns = 5;

    private static readonly Uri s_echo = new("/echo", UriKind.Relative);

    internal static async Task<int> RunAsync(int requests)
    {
        string name = $"sample-{Environment.ProcessId}";
        using Process server = StartSelf("serve", name);
        try
        {
            await server.StandardOutput.ReadLineAsync();
            foreach (Version version in Client.Versions)
            {
                await ReturnLongBodyAsync(name, version);
                foreach (int connections in (int[])[1, 4])
                {
                    await CompareAsync(name, version, connections, requests);
                }
            }

            foreach (Version version in Client.Versions)
            {
                await KillClientAsync(name, version);
            }

            await KillServerAsync(name, server);
            return 0;
        }
        finally
        {
            server.Kill();
            await server.WaitForExitAsync();
            foreach (Version version in Client.Versions)
            {
                File.Delete(Server.SocketFor(name, version));
                SharedRegion.Delete(Server.NameFor(name, version));
            }
        }
    }

    private static async Task ReturnLongBodyAsync(string name, Version version)
    {
        using HttpClient client = Client.OverRings(name, version);
        byte[] contents = new byte[8 << 20];
        new Random(1).NextBytes(contents);
        bool isEqual = (await EchoAsync(client, contents)).AsSpan().SequenceEqual(contents);
        Console.WriteLine(
            $"HTTP/{version}: the server returned {(isEqual ? "8 MiB as they were sent." : "something else than was sent.")}");
    }

    /// <summary>Requests of 64 bytes there and back, over rings and over Unix sockets by turns.</summary>
    private static async Task CompareAsync(string name, Version version, int connections, int requests)
    {
        HttpClient[] overRings = [.. Enumerable.Range(0, connections).Select(_ => Client.OverRings(name, version))];
        HttpClient[] overSockets = [.. Enumerable.Range(0, connections).Select(_ => Client.OverSocket(name, version))];
        double[] rings = new double[Turns];
        double[] sockets = new double[Turns];
        await MeasureAsync(overRings, (requests / 10) + 1);
        await MeasureAsync(overSockets, (requests / 10) + 1);
        for (int turn = 0; turn < Turns; turn++)
        {
            rings[turn] = await MeasureAsync(overRings, (requests / Turns) + 1);
            sockets[turn] = await MeasureAsync(overSockets, (requests / Turns) + 1);
        }

        double[] ratios = [.. rings.Zip(sockets, static (ring, socket) => ring / socket)];
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"HTTP/{version}, {connections} at once: {Median(rings):N1} µs a request over rings, {Median(sockets):N1} over Unix sockets, "
                + $"ratio {Median(ratios):N2}."));
        Array.ForEach(overRings, static client => client.Dispose());
        Array.ForEach(overSockets, static client => client.Dispose());
    }

    private static async Task<double> MeasureAsync(HttpClient[] clients, int requests)
    {
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAll(clients.Select(async client =>
        {
            byte[] message = new byte[MessageLength];
            for (int i = 0; i < requests / clients.Length; i++)
            {
                BitConverter.TryWriteBytes(message, i);
                if (!(await EchoAsync(client, message)).AsSpan().SequenceEqual(message))
                {
                    throw new InvalidDataException($"Request {i} was answered with something else.");
                }
            }
        }));
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds / Math.Max(1, requests / clients.Length * clients.Length);
    }

    private static async Task<byte[]> EchoAsync(HttpClient client, byte[] contents)
    {
        using ByteArrayContent body = new(contents);
        using HttpResponseMessage response = await client.PostAsync(s_echo, body);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsByteArrayAsync();
    }

    /// <summary>The server hears that a client was killed, and serves on.</summary>
    private static async Task KillClientAsync(string name, Version version)
    {
        using HttpClient client = Client.OverRings(name, version);
        Uri count = new("/cancelled", UriKind.Relative);
        string before = await client.GetStringAsync(count);
        using Process other = StartSelf("hang", name, $"{version}");
        await other.StandardOutput.ReadLineAsync();
        other.Kill();
        await other.WaitForExitAsync();
        while (await client.GetStringAsync(count) == before)
        {
            await Task.Delay(20);
        }

        Console.WriteLine($"HTTP/{version}: a client was killed, and the server cancelled its request.");
    }

    private static async Task KillServerAsync(string name, Process server)
    {
        using HttpClient client = Client.OverRings(name, Client.Versions[0]);
        using HttpResponseMessage response = await client.GetAsync(
            new Uri("/hang", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        server.Kill();
        try
        {
            await response.Content.ReadAsByteArrayAsync();
            Console.WriteLine("The server was killed, and its response looked complete.");
        }
        catch (HttpRequestException e)
        {
            Console.WriteLine($"The server was killed, and the client got: {(e.InnerException ?? e).GetBaseException().Message}");
        }
    }

    private static double Median(double[] values) => values.Order().ElementAt(values.Length / 2);

    private static Process StartSelf(params IEnumerable<string> arguments)
    {
        // Under "dotnet run" the program is a file of its own; otherwise the host "dotnet" runs its assembly.
        string program = Environment.ProcessPath!;
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return Process.Start(new ProcessStartInfo(program, isHost ? [typeof(Server).Assembly.Location, .. arguments] : arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
    }
}
