using System.Diagnostics;
using System.Globalization;
using NATS.Client.Core;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A client publishes a message to a server in another process and gets it back.</summary>
internal sealed class NatsClient : PayloadClient
{
    private readonly Process _server;
    private readonly NatsConnection _nats;
    private readonly INatsSub<byte[]> _arrays;
    private readonly INatsSub<NatsMemoryOwner<byte>> _owners;

    public NatsClient()
    {
        Assert.NotNull(NatsRecipes.Server);
        string port = FreePort.Next().ToString(CultureInfo.InvariantCulture);
        string settings = Path.Combine(Directory.CreateTempSubdirectory("nats").FullName, "settings");
        File.WriteAllText(settings, "max_payload: 8MB\n");
        _server = Process.Start(NatsRecipes.Server, ["-a", "127.0.0.1", "-p", port, "-l", "/dev/null", "-c", settings]);
        _nats = new NatsConnection(new NatsOpts { Url = $"nats://127.0.0.1:{port}", RetryOnInitialConnect = true });
        _nats.ConnectAsync().AsTask().GetAwaiter().GetResult();
        _arrays = _nats.SubscribeCoreAsync<byte[]>("arrays").AsTask().GetAwaiter().GetResult();
        _owners = _nats.SubscribeCoreAsync<NatsMemoryOwner<byte>>("owners").AsTask().GetAwaiter().GetResult();
    }

    internal override async Task UsualAsync()
    {
        using MemoryStream contents = new();
        contents.Write(Report);
        await _nats.PublishAsync("arrays", contents.ToArray());
        NatsMsg<byte[]> delivery = await _arrays.Msgs.ReadAsync();
        AssertArrived(delivery.Data);
    }

    internal override async Task WithTarnAsync()
    {
        using PooledMemoryStream contents = new();
        contents.Write(Report);
        await _nats.PublishAsync("owners", contents.GetReadOnlySequence());
        NatsMsg<NatsMemoryOwner<byte>> delivery = await _owners.Msgs.ReadAsync();
        using NatsMemoryOwner<byte> message = delivery.Data;
        AssertArrived(message.Span);
    }

    public override async ValueTask DisposeAsync()
    {
        await _nats.DisposeAsync();
        _server.Kill();
        _server.Dispose();
    }
}
