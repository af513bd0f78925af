using System.Buffers;
using System.Text.Json;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class JsonRecipes
{
    [Fact]
    public async Task Json_is_written_to_a_stream_and_read_from_it()
    {
        Order order = Order.Sample;

        #region System.Text.Json, stream
        using PooledMemoryStream message = new();
        await JsonSerializer.SerializeAsync(message, order);
        message.Position = 0;
        Order? copy = await JsonSerializer.DeserializeAsync<Order>(message);
        #endregion

        order.AssertSame(copy);
    }

    [Fact]
    public void Json_is_written_and_read_without_a_copy()
    {
        using PooledMemoryStream message = new();
        Order.Sample.AssertSame(Pass(Order.Sample, message));
        Assert.True(message.Length > 10_000);
    }

    private static Order? Pass(Order order, PooledMemoryStream message)
    {
        #region System.Text.Json, writer and sequence
        using (Utf8JsonWriter writer = new((IBufferWriter<byte>)message))
        {
            JsonSerializer.Serialize(writer, order);
        }

        Utf8JsonReader reader = new(message.GetReadOnlySequence());
        Order? copy = JsonSerializer.Deserialize<Order>(ref reader);
        #endregion

        return copy;
    }
}
