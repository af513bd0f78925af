using System.Net;
using System.Net.Sockets;
using System.Text.Json;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class HttpRecipes
{
    [Fact]
    public async Task A_request_and_a_response_pass_through_pooled_streams()
    {
        using EchoServer server = new();
        using HttpClient http = new();
        Uri address = server.Address;
        Order order = Order.Sample;

        #region HttpClient
        using PooledMemoryStream upload = new();
        await JsonSerializer.SerializeAsync(upload, order);
        upload.Position = 0;
        using HttpRequestMessage request = new(HttpMethod.Post, address) { Content = new StreamContent(upload) };
        using HttpResponseMessage response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);

        using PooledMemoryStream download = new(capacity: response.Content.Headers.ContentLength ?? 0);
        await using Stream body = await response.Content.ReadAsStreamAsync();
        await download.CopyFromAsync(body);
        download.Position = 0;
        Order? copy = await JsonSerializer.DeserializeAsync<Order>(download);
        #endregion

        order.AssertSame(copy);
    }

    /// <summary>Answers one request with its own body.</summary>
    private sealed class EchoServer : IDisposable
    {
        private readonly HttpListener _listener = new();
        private readonly Task _answering;

        internal EchoServer()
        {
            Address = new Uri($"http://localhost:{FreePort()}/");
            _listener.Prefixes.Add(Address.ToString());
            _listener.Start();
            _answering = AnswerAsync();
        }

        internal Uri Address { get; }

        public void Dispose()
        {
            _answering.Wait(TimeSpan.FromSeconds(10));
            _listener.Close();
        }

        private static int FreePort()
        {
            using TcpListener probe = new(IPAddress.Loopback, 0);
            probe.Start();
            return ((IPEndPoint)probe.LocalEndpoint).Port;
        }

        private async Task AnswerAsync()
        {
            HttpListenerContext context = await _listener.GetContextAsync();
            using MemoryStream body = new();
            await context.Request.InputStream.CopyToAsync(body);
            context.Response.ContentLength64 = body.Length;
            body.Position = 0;
            await body.CopyToAsync(context.Response.OutputStream);
            context.Response.Close();
        }
    }
}
