using System.Buffers;
using System.Net;
using MQTTnet;
using MQTTnet.Server;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class MqttRecipes
{
    [Fact]
    public async Task A_payload_is_a_stream_s_sequence_at_both_ends()
    {
        int port = FreePort.Next();
        MqttServerOptions options = new MqttServerOptionsBuilder()
            .WithDefaultEndpoint().WithDefaultEndpointBoundIPAddress(IPAddress.Loopback).WithDefaultEndpointPort(port).Build();
        using MqttServer server = new MqttServerFactory().CreateMqttServer(options);
        await server.StartAsync();
        using IMqttClient client = new MqttClientFactory().CreateMqttClient();
        await client.ConnectAsync(new MqttClientOptionsBuilder().WithTcpServer("127.0.0.1", port).Build());
        TaskCompletionSource<byte[]> arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
        void Handle(PooledMemoryStream message) => arrived.TrySetResult(message.ToArray());
        byte[] report = new byte[300_000];
        new Random(1).NextBytes(report);

        #region MQTTnet
        client.ApplicationMessageReceivedAsync += delivery =>
        {
            using PooledMemoryStream copy = new();
            copy.Write(delivery.ApplicationMessage.Payload);
            Handle(copy);
            return Task.CompletedTask;
        };
        await client.SubscribeAsync("reports");

        using PooledMemoryStream contents = new();
        contents.Write(report);
        await client.PublishAsync(new MqttApplicationMessage { Topic = "reports", Payload = contents.GetReadOnlySequence() });
        #endregion

        Assert.Equal(report, await arrived.Task.WaitAsync(TimeSpan.FromSeconds(30)));
        await client.DisconnectAsync();
        await server.StopAsync();
    }
}
