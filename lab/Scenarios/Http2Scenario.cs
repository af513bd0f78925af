using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Tarn.Lab.Scenarios;

/// <summary>
/// HTTP/2 on both sides of one process, as in a gateway: each request to <c>/front</c> makes <c>HttpClient</c> fetch <c>/back</c> from the
/// same Kestrel
/// over HTTP/2 and pass it on.
/// </summary>
internal sealed class Http2Scenario : Scenario
{
    private const int Clients = 32;
    private static readonly byte[] s_content = new byte[256 << 10];

    public override string Name => "http2";

    public override async Task<IAsyncDisposable> ServeAsync(Action<int> onReady)
    {
        HttpClient inner = CreateClient();
        return await WebServer.StartAsync(
            HttpProtocols.Http2,
            application =>
            {
                application.MapGet("/back/{bytes}", (int bytes) => Results.Bytes(s_content.AsMemory(0, bytes)));
                application.MapGet("/front/{bytes}", async (int bytes, HttpContext context) =>
                {
                    var back = new Uri($"http://127.0.0.1:{context.Connection.LocalPort}/back/{bytes}");
                    using HttpResponseMessage answer = await inner.GetAsync(back, HttpCompletionOption.ResponseHeadersRead);
                    await using Stream body = await answer.Content.ReadAsStreamAsync();
                    await body.CopyToAsync(context.Response.Body);
                });
            },
            onReady);
    }

    public override async Task LoadAsync(int port, CancellationToken end)
    {
        using HttpClient client = CreateClient();
        await RepeatAsync(Clients, Ask, end);

        async Task Ask(Random random)
        {
            int bytes = (int)(512 * Math.Pow(2, random.NextDouble() * 9));
            _ = await client.GetByteArrayAsync(new Uri($"http://127.0.0.1:{port}/front/{bytes}"), end);
        }
    }

    private static HttpClient CreateClient() => new()
    {
        DefaultRequestVersion = HttpVersion.Version20,
        DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
    };
}
