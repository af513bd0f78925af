namespace Tarn.Lab.Scenarios;

/// <summary>A short program whose renting code is the framework's, and the load that makes it rent.</summary>
internal abstract class Scenario
{
    public static IReadOnlyList<Scenario> All { get; } =
        [new UploadScenario(), new SmallRequestScenario(), new Http2Scenario(), new JsonScenario(), new TlsProxyScenario()];

    public abstract string Name { get; }

    public static Scenario? Find(string name) => All.FirstOrDefault(one => one.Name == name);

    /// <summary>Starts the program on the loopback; <paramref name="onReady"/> gets its port.</summary>
    public abstract Task<IAsyncDisposable> ServeAsync(Action<int> onReady);

    /// <summary>Sends requests to the program on that port until <paramref name="end"/>.</summary>
    public abstract Task LoadAsync(int port, CancellationToken end);

    /// <summary>Repeats the same request by several clients at once. The end of the time is not a failure.</summary>
    protected static async Task RepeatAsync(int clients, Func<Random, Task> ask, CancellationToken end)
    {
        async Task Ask(int client)
        {
            var random = new Random(client);
            while (!end.IsCancellationRequested)
            {
                await ask(random);
            }
        }

        try
        {
            await Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => Ask(client), CancellationToken.None)));
        }
        catch (Exception) when (end.IsCancellationRequested)
        {
        }
    }
}
