using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Diagnostics;

namespace Tarn.AspNetCore.Tests;

public class KestrelTests
{
    private static readonly byte[] s_sent = Contents(300 << 10);

    public static TheoryData<string, string> Protocols => new()
    {
        { "http", "1.1" }, { "http2", "2.0" }, { "https", "1.1" }, { "https", "2.0" },
    };

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Bodies_arrive_whole_through_the_pool_s_blocks(string address, string version)
    {
        await using RunningServer server = await RunningServer.StartAsync(MapEcho);
        Uri uri = address switch { "http" => server.Http, "http2" => server.Http2, _ => server.Https };
        using HttpClient client = RunningServer.CreateClient(uri, Version.Parse(version));

        byte[][] received = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Echo(client)));

        Assert.All(received, body => Assert.Equal(s_sent, body));
        BlockPoolSnapshot blocks = server.Blocks;
        Assert.InRange(blocks.Rented, 8, long.MaxValue);
        Assert.Equal(0, blocks.Unpooled);
    }

    [Fact]
    public async Task Every_request_is_answered_whole_when_slow_ones_have_used_up_the_cap()
    {
        const int slow = 200;
        await using RunningServer server = await RunningServer.StartAsync(
            MapEcho, new TarnServerOptions { MaxPooledBytes = 1 << 20, Checks = BufferChecks.None });
        Socket[] sockets = [.. Enumerable.Range(0, slow).Select(_ => new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true })];
        try
        {
            foreach (Socket socket in sockets)
            {
                await socket.ConnectAsync(IPAddress.Loopback, server.Http.Port);
                await socket.SendAsync("GET /small HTTP/1.1\r\nHost: localhost\r\nX-Slow: "u8.ToArray());
            }

            await Eventually.Holds(() => server.Blocks.UnpooledInUseBytes > 0, "slow requests have not used up the cap");
            using HttpClient client = server.CreateClient();
            Assert.Equal(s_sent, await Echo(client));
            BlockPoolSnapshot full = server.Blocks;
            Assert.InRange(full.InUseBytes + full.RetainedBytes, 0, full.CapBytes);

            foreach (Socket socket in sockets)
            {
                await socket.SendAsync("yes\r\nConnection: close\r\n\r\n"u8.ToArray());
            }

            foreach (Socket socket in sockets)
            {
                Assert.StartsWith("HTTP/1.1 200 OK", await ReadToEnd(socket), StringComparison.Ordinal);
            }
        }
        finally
        {
            Array.ForEach(sockets, socket => socket.Dispose());
        }

        await Eventually.Holds(() => server.Blocks is { InUseBytes: 0, UnpooledInUseBytes: 0 }, "blocks of ended connections are in use");
    }

    [Fact]
    public async Task Checks_find_nothing_in_how_Kestrel_uses_its_blocks()
    {
        await using RunningServer server = await RunningServer.StartAsync(
            MapEcho, new TarnServerOptions { Checks = BufferChecks.Returns | BufferChecks.UseAfterReturn });
        using HttpClient client = server.CreateClient();
        await Echo(client);

        Assert.True(BufferDiagnostics.Flush());
        Assert.DoesNotContain(BufferDiagnostics.GetIncidents(), incident => incident.SourceName == "kestrel");
    }

    [Fact]
    public async Task The_pools_end_with_the_server()
    {
        ServerMemoryPoolFactory pools;
        await using (RunningServer server = await RunningServer.StartAsync(MapEcho))
        {
            pools = server.Pools;
            Assert.Equal("kestrel", Assert.Single(pools.GetSnapshots()).Owner);
        }

        Assert.Empty(pools.GetSnapshots());
    }

    [Theory]
    [InlineData((1 << 20) - 1L, 1, "MaxPooledBytes is 1048575: it must be at least 1048576 bytes, or null.")]
    [InlineData(1L << 30, 0, "IdleTimeout is 00:00:00: it must be more than zero, or Timeout.InfiniteTimeSpan.")]
    public void An_option_out_of_range_is_refused_by_name_and_value(long bytes, int seconds, string message)
    {
        ArgumentException exception = Assert.Throws<ArgumentException>(
            "configure",
            () => new ServiceCollection().AddTarn(
                options => (options.MaxPooledBytes, options.IdleTimeout) = (bytes, TimeSpan.FromSeconds(seconds))));
        Assert.StartsWith(message, exception.Message, StringComparison.Ordinal);
    }

    private static void MapEcho(WebApplication application)
    {
        application.MapGet("/small", () => "small");
        application.MapPost("/echo", async (HttpContext context) =>
        {
            using MemoryStream body = new();
            await context.Request.Body.CopyToAsync(body);
            context.Response.ContentLength = body.Length;
            await context.Response.Body.WriteAsync(body.GetBuffer().AsMemory(0, (int)body.Length));
        });
    }

    private static async Task<byte[]> Echo(HttpClient client)
    {
        using ByteArrayContent content = new(s_sent);
        using HttpResponseMessage answer = await client.PostAsync(new Uri("/echo", UriKind.Relative), content);
        answer.EnsureSuccessStatusCode();
        return await answer.Content.ReadAsByteArrayAsync();
    }

    private static async Task<string> ReadToEnd(Socket socket)
    {
        StringBuilder text = new();
        byte[] buffer = new byte[1024];
        while (await socket.ReceiveAsync(buffer) is > 0 and var length)
        {
            text.Append(Encoding.ASCII.GetString(buffer, 0, length));
        }

        return text.ToString();
    }

    private static byte[] Contents(int length)
    {
        byte[] bytes = new byte[length];
        new Random(16).NextBytes(bytes);
        return bytes;
    }
}
