using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A download, and a message of a WebSocket, from Kestrel in this process, which itself allocates nothing large.</summary>
internal abstract class WebClient : PayloadClient
{
    private readonly WebApplication _server;

    protected WebClient()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        _server = builder.Build();
        _server.UseWebSockets();
        _server.MapGet("/report", () => Results.Bytes(Report));
        _server.Map("/socket", SendAsync);
        _server.StartAsync().GetAwaiter().GetResult();
        Address = new Uri(_server.Urls.Single());
    }

    protected Uri Address { get; }

    public override ValueTask DisposeAsync() => _server.DisposeAsync();

    private async Task SendAsync(HttpContext context)
    {
        using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
        byte[] request = new byte[16];
        while ((await socket.ReceiveAsync(request.AsMemory(), default)).MessageType != WebSocketMessageType.Close)
        {
            await socket.SendAsync(Report.AsMemory(), WebSocketMessageType.Binary, endOfMessage: true, default);
        }
    }
}

internal sealed class DownloadClient : WebClient
{
    private readonly HttpClient _http;

    public DownloadClient() => _http = new HttpClient { BaseAddress = Address };

    internal override async Task UsualAsync() =>
        AssertArrived(await _http.GetByteArrayAsync(new Uri("/report", UriKind.Relative)));

    internal override async Task WithTarnAsync()
    {
        using HttpResponseMessage response = await _http.GetAsync(
            new Uri("/report", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        using PooledMemoryStream download = new(capacity: response.Content.Headers.ContentLength ?? 0);
        await using Stream body = await response.Content.ReadAsStreamAsync();
        await download.CopyFromAsync(body);
        AssertArrived(download.GetReadOnlySequence());
    }

    public override ValueTask DisposeAsync()
    {
        _http.Dispose();
        return base.DisposeAsync();
    }
}

internal sealed class SocketClient : WebClient
{
    private readonly ClientWebSocket _socket = new();

    public SocketClient() =>
        _socket.ConnectAsync(new UriBuilder(Address) { Scheme = "ws", Path = "/socket" }.Uri, default).GetAwaiter().GetResult();

    internal override async Task UsualAsync()
    {
        await AskAsync();
        using MemoryStream message = new();
        byte[] part = new byte[16 << 10];
        ValueWebSocketReceiveResult received;
        do
        {
            received = await _socket.ReceiveAsync(part.AsMemory(), default);
            message.Write(part, 0, received.Count);
        }
        while (!received.EndOfMessage);

        AssertArrived(message.ToArray());
    }

    internal override async Task WithTarnAsync()
    {
        await AskAsync();
        using PooledMemoryStream message = new();
        ValueWebSocketReceiveResult received;
        do
        {
            received = await _socket.ReceiveAsync(message.GetMemory(16 << 10), default);
            message.Advance(received.Count);
        }
        while (!received.EndOfMessage);

        AssertArrived(message.GetReadOnlySequence());
    }

    public override ValueTask DisposeAsync()
    {
        _socket.Dispose();
        return base.DisposeAsync();
    }

    private ValueTask AskAsync() => _socket.SendAsync(new byte[1].AsMemory(), WebSocketMessageType.Binary, endOfMessage: true, default);
}
