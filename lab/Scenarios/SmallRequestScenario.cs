using System.Net;
using System.Net.Http.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Tarn.Lab.Scenarios;

/// <summary>
/// Kestrel under many small requests: an order comes as JSON, is bound and sent back as JSON, compressed for clients that ask for it.
/// </summary>
internal sealed class SmallRequestScenario : Scenario
{
    private const int Clients = 64;

    public override string Name => "kestrel-small";

    public override async Task<IAsyncDisposable> ServeAsync(Action<int> onReady) => await WebServer.StartAsync(
        HttpProtocols.Http1,
        application =>
        {
            application.UseResponseCompression();
            application.MapPost("/order", (Order order) => order with { Id = order.Id + 1 });
        },
        onReady);

    public override async Task LoadAsync(int port, CancellationToken end)
    {
        using var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.All };
        using var client = new HttpClient(handler) { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        await RepeatAsync(Clients, Ask, end);

        async Task Ask(Random random)
        {
            using HttpResponseMessage answer = await client.PostAsJsonAsync("/order", Order.Create(random, random.Next(1, 20)), end);
            answer.EnsureSuccessStatusCode();
            _ = await answer.Content.ReadFromJsonAsync<Order>(end);
        }
    }
}
