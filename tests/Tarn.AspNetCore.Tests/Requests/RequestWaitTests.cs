using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Requests;

/// <summary>A request's wait for its budget has an end, whatever happens to the request.</summary>
public sealed class RequestWaitTests
{
    private const int Limit = 1 << 20;

    private readonly BufferBudget _budget = new(Limit, "requests");

    public static TheoryData<string> Calls => ["lease", "stream", "write"];

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_wait_that_takes_too_long_becomes_the_answer(string call)
    {
        await using RunningServer server = await StartAsync(TimeSpan.FromMilliseconds(50));
        using HttpClient client = server.CreateClient();
        _budget.Take(Limit);

        using HttpResponseMessage answer = await client.GetAsync(new Uri($"/{call}", UriKind.Relative));

        Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
        Assert.Equal(TimeSpan.FromSeconds(2), answer.Headers.RetryAfter?.Delta);
        await HasOnlyAsync(Limit);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_wait_ends_when_the_client_leaves(string call)
    {
        await using RunningServer server = await StartAsync();
        _budget.Take(Limit);
        using (Socket socket = await SendAsync(server, $"GET /{call} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        {
            await IsWaitingAsync();
        }

        await HasOnlyAsync(Limit);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_wait_ends_when_the_host_stops(string call)
    {
        await using RunningServer server = await StartAsync();
        _budget.Take(Limit);
        using Socket socket = await SendAsync(server, $"GET /{call} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await IsWaitingAsync();

        await server.StopAtOnceAsync();

        await HasOnlyAsync(Limit);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_wait_ends_when_the_request_ends_that_did_not_await_it(string call)
    {
        await using RunningServer server = await StartAsync();
        await using AsyncServiceScope scope = server.Services.CreateAsyncScope();
        RequestBuffers buffers = scope.ServiceProvider.GetRequiredService<RequestBuffers>();
        _budget.Take(Limit);
        Task waiting = WaitAsync(buffers, call, CancellationToken.None);
        Assert.Equal((false, 1), (waiting.IsCompleted, _budget.Waiting));

        buffers.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => WaitAsync(buffers, call, CancellationToken.None));
        await HasOnlyAsync(Limit);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task A_wait_ends_by_the_token_of_the_call(string call)
    {
        await using RunningServer server = await StartAsync();
        await using AsyncServiceScope scope = server.Services.CreateAsyncScope();
        RequestBuffers buffers = scope.ServiceProvider.GetRequiredService<RequestBuffers>();
        using CancellationTokenSource source = new();
        _budget.Take(Limit);
        Task waiting = WaitAsync(buffers, call, source.Token);
        Assert.Equal((false, 1), (waiting.IsCompleted, _budget.Waiting));

        await source.CancelAsync();

        OperationCanceledException ended = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(source.Token, ended.CancellationToken);
        Task next = WaitAsync(buffers, call, CancellationToken.None);
        _budget.Return(Limit);
        await next;
    }

    /// <summary>The server reads nothing while the handler waits, and so does not see that the client has gone.</summary>
    [Fact]
    public async Task A_client_that_leaves_with_its_body_unread_keeps_nothing()
    {
        await using RunningServer server = await StartAsync(TimeSpan.FromMilliseconds(500));
        _budget.Take(Limit / 2);
        using (Socket socket = await SendAsync(
            server, $"POST /compress HTTP/1.1\r\nHost: localhost\r\nContent-Length: {8 * Limit}\r\n\r\n"))
        {
            Task sending = SendUntilItEndsAsync(socket);
            await Eventually.Holds(() => _budget.Waiting == 1 || _budget.Refused > 0, "the request waits");
            socket.Dispose();
            await sending;
        }

        await HasOnlyAsync(Limit / 2);
        _budget.Return(Limit / 2);
        await CompressesAsync(server);
    }

    /// <summary>Each fits, and all together do not: each holds what the others wait for.</summary>
    [Fact]
    public async Task Uploads_that_together_do_not_fit_are_answered_and_leave_nothing()
    {
        await using RunningServer server = await StartAsync();
        using HttpClient client = server.CreateClient();
        client.Timeout = TimeSpan.FromMinutes(2);
        byte[] body = new byte[Limit / 2];
        Random.Shared.NextBytes(body);

        HttpStatusCode[] statuses = await Task.WhenAll(Enumerable.Range(0, 12).Select(async _ =>
        {
            using ByteArrayContent content = new(body);
            using HttpResponseMessage answer = await client.PostAsync(new Uri("/compress", UriKind.Relative), content);
            Assert.Equal(answer.StatusCode == HttpStatusCode.ServiceUnavailable, answer.Headers.RetryAfter is not null);
            return answer.StatusCode;
        }));

        Assert.All(statuses, static one => Assert.True(one is HttpStatusCode.OK or HttpStatusCode.ServiceUnavailable, $"{one}"));
        await HasOnlyAsync(0);
        await CompressesAsync(server);
    }

    [Fact]
    public async Task An_upload_that_can_never_fit_is_told_so()
    {
        await using RunningServer server = await StartAsync();
        using HttpClient client = server.CreateClient();
        byte[] body = new byte[3 * Limit];
        Random.Shared.NextBytes(body);
        using ByteArrayContent content = new(body);

        using HttpResponseMessage answer = await client.PostAsync(new Uri("/compress", UriKind.Relative), content);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, answer.StatusCode);
        Assert.Null(answer.Headers.RetryAfter);
        await HasOnlyAsync(0);
    }

    private static async Task WaitAsync(RequestBuffers buffers, string call, CancellationToken cancellation)
    {
        switch (call)
        {
            case "lease":
                await buffers.LeaseAsync<byte>(50_000, cancellation);
                break;
            case "stream":
                await buffers.CreateStreamAsync(50_000, cancellation);
                break;
            default:
                await buffers.CreateStream().WriteAsync(new byte[50_000], cancellation);
                break;
        }
    }

    private static async Task CompressesAsync(RunningServer server)
    {
        using HttpClient client = server.CreateClient();
        using ByteArrayContent content = new("a small body"u8.ToArray());
        using HttpResponseMessage answer = await client.PostAsync(new Uri("/compress", UriKind.Relative), content);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    private static async Task<Socket> SendAsync(RunningServer server, string request)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, server.Http.Port);
        await socket.SendAsync(System.Text.Encoding.ASCII.GetBytes(request));
        return socket;
    }

    private static async Task SendUntilItEndsAsync(Socket socket)
    {
        byte[] part = new byte[4 << 10];
        try
        {
            while (true)
            {
                Random.Shared.NextBytes(part);
                await socket.SendAsync(part);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
        }
    }

    private Task<RunningServer> StartAsync(TimeSpan? timeout = null) => RunningServer.StartAsync(
        static application =>
        {
            foreach (string call in (string[])["lease", "stream", "write"])
            {
                application.MapGet(
                    $"/{call}", (RequestBuffers buffers) => WaitAsync(buffers, call, CancellationToken.None));
            }

            // As the first who use it write it: with an asynchronous disposal, which writes without a token.
            application.MapPost("/compress", static async (HttpContext context, RequestBuffers buffers) =>
            {
                PooledMemoryStream compressed = buffers.CreateStream();
                await using (GZipStream gzip = new(compressed, CompressionLevel.Fastest, leaveOpen: true))
                {
                    await context.Request.Body.CopyToAsync(gzip, context.RequestAborted);
                }

                compressed.Position = 0;
                await compressed.CopyToAsync(context.Response.Body, context.RequestAborted);
            });
        },
        new TarnServerOptions
        {
            RequestBudget = _budget,
            RequestBudgetTimeout = timeout ?? TimeSpan.FromHours(1),
            RetryAfter = TimeSpan.FromSeconds(2),
        });

    private Task IsWaitingAsync() => Eventually.Holds(() => _budget.Waiting == 1, "the request waits");

    private Task HasOnlyAsync(long bytes) =>
        Eventually.Holds(() => _budget.InUse == bytes && _budget.Waiting == 0, $"{bytes} bytes are in use and nothing waits");
}
