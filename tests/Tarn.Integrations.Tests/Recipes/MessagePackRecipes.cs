using MessagePack;
using MessagePack.Resolvers;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class MessagePackRecipes
{
    [Fact]
    public void Messages_are_written_and_read_without_a_copy()
    {
        Order order = Order.Sample;

        #region MessagePack
        using SequenceBuilder<byte> wire = new();
        MessagePackSerializer.Serialize(wire, order, s_options);
        Order copy = MessagePackSerializer.Deserialize<Order>(wire.Sequence, s_options);
        #endregion

        order.AssertSame(copy);
        Assert.Equal(MessagePackSerializer.Serialize(order, s_options).Length, wire.Length);
    }

    #region MessagePack, options
    private static readonly MessagePackSerializerOptions s_options = ContractlessStandardResolver.Options
        .WithPool(new SequencePool(Environment.ProcessorCount, BufferPool<byte>.Shared));
    #endregion
}
