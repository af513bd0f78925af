using System.Reflection;
using System.Text.Json;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Tarn.Integrations.Tests.Recipes;

/// <summary>The recipes run against a channel that notes what it is told to publish. No broker is needed.</summary>
public sealed class RabbitRecipes
{
    [Fact]
    public async Task A_message_is_published_from_a_pooled_stream_and_read_in_place()
    {
        IChannel channel = DispatchProxy.Create<IChannel, NotingChannel>();
        Order order = Order.Sample;

        #region RabbitMQ.Client, publish
        using PooledMemoryStream message = new();
        await JsonSerializer.SerializeAsync(message, order);
        message.TryGetBuffer(out ArraySegment<byte> body);
        await channel.BasicPublishAsync(exchange: "", routingKey: "orders", body: body.AsMemory());
        #endregion

        byte[] published = Assert.Single(((NotingChannel)channel).Published);
        Assert.Equal(message.ToArray(), published);
        List<Order?> received = [];
        void Handle(Order? copy) => received.Add(copy);

        #region RabbitMQ.Client, consume
        AsyncEventingBasicConsumer consumer = new(channel);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            using PooledMemoryStream copy = new(delivery.Body.Span);
            Handle(await JsonSerializer.DeserializeAsync<Order>(copy));
        };
        #endregion

        await consumer.HandleBasicDeliverAsync("tag", 1, false, "", "orders", new BasicProperties(), published);
        order.AssertSame(Assert.Single(received));
    }

    public class NotingChannel : DispatchProxy
    {
        internal List<byte[]> Published { get; } = [];

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            if (targetMethod!.Name == nameof(IChannel.BasicPublishAsync))
            {
                Published.Add(args!.OfType<ReadOnlyMemory<byte>>().Single().ToArray());
                return ValueTask.CompletedTask;
            }

            return targetMethod.ReturnType.IsValueType && targetMethod.ReturnType != typeof(void)
                ? Activator.CreateInstance(targetMethod.ReturnType)
                : null;
        }
    }
}
