using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A client publishes a message to a broker in another process and gets it back.</summary>
internal sealed class RabbitClient : PayloadClient
{
    private readonly Channel<byte[]> _arrays = Channel.CreateUnbounded<byte[]>();
    private readonly Channel<PooledMemoryStream> _streams = Channel.CreateUnbounded<PooledMemoryStream>();
    private readonly BrokerProcess _broker = new();
    private readonly IConnection _connection;
    private readonly IChannel _channel;

    public RabbitClient()
    {
        _broker.AwaitStart();
        _connection = new ConnectionFactory { Uri = _broker.Address }.CreateConnectionAsync().GetAwaiter().GetResult();
        _channel = _connection.CreateChannelAsync().GetAwaiter().GetResult();
        ConsumeAsync("arrays", body => _arrays.Writer.WriteAsync(body.ToArray())).GetAwaiter().GetResult();
        ConsumeAsync("streams", body => _streams.Writer.WriteAsync(new PooledMemoryStream(body.Span))).GetAwaiter().GetResult();
    }

    internal override async Task UsualAsync()
    {
        using MemoryStream contents = new();
        contents.Write(Report);
        await _channel.BasicPublishAsync(exchange: "", routingKey: "arrays", body: contents.ToArray());
        AssertArrived(await _arrays.Reader.ReadAsync());
    }

    internal override async Task WithTarnAsync()
    {
        using PooledMemoryStream contents = new();
        contents.Write(Report);
        Assert.True(contents.TryGetBuffer(out ArraySegment<byte> body));
        await _channel.BasicPublishAsync(exchange: "", routingKey: "streams", body: body.AsMemory());
        using PooledMemoryStream copy = await _streams.Reader.ReadAsync();
        AssertArrived(copy.GetReadOnlySequence());
    }

    public override async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _connection.DisposeAsync();
        _broker.Dispose();
    }

    private async Task ConsumeAsync(string queue, Func<ReadOnlyMemory<byte>, ValueTask> receive)
    {
        await _channel.QueueDeclareAsync(queue);
        AsyncEventingBasicConsumer consumer = new(_channel);
        consumer.ReceivedAsync += (_, delivery) => receive(delivery.Body).AsTask();
        await _channel.BasicConsumeAsync(queue, autoAck: true, consumer);
    }
}
