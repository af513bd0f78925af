using System.Net;
using System.Net.Sockets;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>Clients of the server. <see cref="HttpClient"/> needs one callback to connect through shared memory.</summary>
internal static class Client
{
    internal static Version[] Versions { get; } = [HttpVersion.Version11, HttpVersion.Version20];

    internal static HttpClient OverRings(string name, Version version) => Create(
        version,
        async (_, cancellationToken) =>
        {
            SharedPipe pipe = await SharedPipe.ConnectAsync(Server.NameFor(name, version), cancellationToken: cancellationToken);
            return pipe.AsStream();
        });

    internal static HttpClient OverSocket(string name, Version version) => Create(
        version,
        async (_, cancellationToken) =>
        {
            Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(Server.SocketFor(name, version)), cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        });

    /// <summary>Asks for what never comes, until this process is killed.</summary>
    internal static async Task<int> HangAsync(string name, Version version)
    {
        using HttpClient client = OverRings(name, version);
        using HttpResponseMessage response = await client.GetAsync(
            new Uri("/hang", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        Console.WriteLine("Hangs.");
        await response.Content.ReadAsByteArrayAsync();
        return 0;
    }

    private static HttpClient Create(
        Version version, Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>> connect)
    {
#pragma warning disable CA2000 // the client disposes it
        SocketsHttpHandler handler = new() { ConnectCallback = connect, MaxConnectionsPerServer = 1, UseProxy = false };
#pragma warning restore CA2000
        return new HttpClient(handler)
        {
            BaseAddress = new Uri("http://rings"),
            DefaultRequestVersion = version,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Timeout = TimeSpan.FromMinutes(1),
        };
    }
}
