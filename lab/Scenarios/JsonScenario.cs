using System.Net;
using System.Net.Sockets;
using System.Text.Json;

namespace Tarn.Lab.Scenarios;

/// <summary>
/// System.Text.Json alone: while a connection is open, four threads turn orders of 1 to 5,000 items into JSON and back, as strings, as
/// streams and as
/// documents.
/// </summary>
internal sealed class JsonScenario : Scenario
{
    private const int Threads = 4;

    public override string Name => "json";

    public override Task<IAsyncDisposable> ServeAsync(Action<int> onReady)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        onReady(((IPEndPoint)listener.LocalEndpoint).Port);
        _ = Task.Run(() => WorkAsync(listener));
        return Task.FromResult<IAsyncDisposable>(new StoppedListener(listener));
    }

    public override async Task LoadAsync(int port, CancellationToken end)
    {
        using var connection = new TcpClient();
        await connection.ConnectAsync(IPAddress.Loopback, port, end);
        await Task.Delay(Timeout.Infinite, end)
            .ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
    }

    private static async Task WorkAsync(TcpListener listener)
    {
        using TcpClient connection = await listener.AcceptTcpClientAsync();
        using var end = new CancellationTokenSource();
        Task work = RepeatAsync(Threads, ConvertAsync, end.Token);
        _ = await connection.GetStream().ReadAsync(new byte[1]);
        await end.CancelAsync();
        await work;
    }

    private static async Task ConvertAsync(Random random)
    {
        Order order = Order.Create(random, (int)Math.Pow(5_000, random.NextDouble()));
        switch (random.Next(4))
        {
            case 0:
                _ = JsonSerializer.Deserialize<Order>(JsonSerializer.Serialize(order));
                break;
            case 1:
                _ = JsonSerializer.Deserialize<Order>(JsonSerializer.SerializeToUtf8Bytes(order));
                break;
            case 2:
                using (var stream = new MemoryStream())
                {
                    await JsonSerializer.SerializeAsync(stream, order);
                    stream.Position = 0;
                    _ = await JsonSerializer.DeserializeAsync<Order>(stream);
                }

                break;
            default:
                using (JsonDocument document = JsonDocument.Parse(JsonSerializer.Serialize(order)))
                {
                    _ = document.RootElement.GetProperty("Items").GetArrayLength();
                }

                break;
        }
    }

    private sealed class StoppedListener(TcpListener listener) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            listener.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
