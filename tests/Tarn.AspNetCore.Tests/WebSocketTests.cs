using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Diagnostics;

namespace Tarn.AspNetCore.Tests;

/// <summary>Messages of WebSockets, which stay open for longer than any request, through the server's blocks.</summary>
public class WebSocketTests
{
    /// <summary>Shorter and longer than the header of a frame allows for, than a block of 4 KiB, and than one of 64 KiB.</summary>
    private static readonly int[] s_lengths = [0, 1, 125, 126, 4095, 4097, 65_535, 65_537, 1_000_003];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_come_back_whole_and_the_blocks_go_back(bool isSecure)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            MapEcho, new TarnServerOptions { Checks = BufferChecks.Returns | BufferChecks.UseAfterReturn });

        await Task.WhenAll(Enumerable.Range(0, 4).Select(seed => Exchange(isSecure ? server.Https : server.Http, seed)));

        Assert.InRange(server.Blocks.Rented, 4, long.MaxValue);
        await Eventually.Holds(() => server.Blocks is { InUseBytes: 0, UnpooledInUseBytes: 0 }, "blocks of closed sockets are in use");
        Assert.True(BufferDiagnostics.Flush());
        Assert.DoesNotContain(BufferDiagnostics.GetIncidents(), incident => incident.SourceName == "kestrel");
    }

    [Fact]
    public async Task The_blocks_of_a_socket_that_its_client_drops_go_back()
    {
        await using RunningServer server = await RunningServer.StartAsync(MapEcho);
        Task sending;
        using (ClientWebSocket socket = await Connect(server.Http))
        {
            // The client reads nothing of what comes back, so the server cannot send, and stops reading.
            sending = socket.SendAsync(new byte[64 << 20], WebSocketMessageType.Binary, endOfMessage: false, CancellationToken.None);
            await Eventually.Holds(() => server.Blocks.InUseBytes > 0, "a server that cannot send has no block");
        }

        await Assert.ThrowsAnyAsync<Exception>(() => sending);
        await Eventually.Holds(() => server.Blocks is { InUseBytes: 0, UnpooledInUseBytes: 0 }, "blocks of a dropped socket are in use");
    }

    private static async Task Exchange(Uri address, int seed)
    {
        using ClientWebSocket socket = await Connect(address);
        Random random = new(seed);
        foreach (int length in s_lengths)
        {
            byte[] sent = new byte[length];
            random.NextBytes(sent);
            await socket.SendAsync(sent, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
            Assert.Equal(sent, await ReceiveAsync(socket));
        }

        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
    }

    private static async Task<ClientWebSocket> Connect(Uri address)
    {
        ClientWebSocket socket = new();
        socket.Options.RemoteCertificateValidationCallback = static (_, certificate, _, _) => RunningServer.IsOwn(certificate);
        string scheme = address.Scheme == Uri.UriSchemeHttps ? Uri.UriSchemeWss : Uri.UriSchemeWs;
        UriBuilder echo = new(address) { Scheme = scheme, Path = "/echo" };
        await socket.ConnectAsync(echo.Uri, CancellationToken.None);
        return socket;
    }

    private static async Task<byte[]> ReceiveAsync(WebSocket socket)
    {
        using PooledMemoryStream message = new();
        ValueWebSocketReceiveResult result;
        do
        {
            result = await socket.ReceiveAsync(message.GetMemory(4096), CancellationToken.None);
            message.Advance(result.Count);
        }
        while (!result.EndOfMessage);
        return message.ToArray();
    }

    /// <summary>Sends back each piece as it comes, in the pieces in which it comes.</summary>
    private static void MapEcho(WebApplication application)
    {
        application.UseWebSockets();
        application.Map("/echo", static async (HttpContext context) =>
        {
            using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
            byte[] piece = new byte[10_000];
            try
            {
                while (true)
                {
                    ValueWebSocketReceiveResult result = await socket.ReceiveAsync(piece.AsMemory(), context.RequestAborted);
                    if (result.MessageType == WebSocketMessageType.Close)
                    {
                        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, context.RequestAborted);
                        return;
                    }

                    await socket.SendAsync(
                        piece.AsMemory(0, result.Count), WebSocketMessageType.Binary, result.EndOfMessage, context.RequestAborted);
                }
            }
            catch (Exception exception) when (exception is WebSocketException or OperationCanceledException)
            {
                // The client is gone.
            }
        });
    }
}
