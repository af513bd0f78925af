using System.Globalization;
using Garnet;

namespace Tarn.Integrations.Tests.Recipes;

/// <summary>Garnet, a server of Redis's protocol, in this process.</summary>
public sealed class RedisServer : IDisposable
{
    private readonly GarnetServer _server;

    public RedisServer()
    {
        string port = FreePort.Next().ToString(CultureInfo.InvariantCulture);
        Address = $"127.0.0.1:{port}";
        _server = new GarnetServer(["--port", port, "--bind", "127.0.0.1", "--memory", "64m", "--index", "1m", "--logger-level", "None"]);
        _server.Start();
    }

    public string Address { get; }

    public void Dispose() => _server.Dispose();
}
