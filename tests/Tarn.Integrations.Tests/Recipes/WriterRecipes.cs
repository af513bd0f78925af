using System.Buffers;
using System.Text.Json;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class WriterRecipes
{
    [Fact]
    public void A_frame_has_its_length_in_front()
    {
        Order order = Order.Sample;

        #region a frame of JSON
        using PooledWriter<byte> frame = new();
        WriterReservation<byte> length = frame.Reserve(sizeof(int));
        using (Utf8JsonWriter json = new(frame))
        {
            JsonSerializer.Serialize(json, order);
        }

        BitConverter.TryWriteBytes(length.Span, frame.WrittenCount - length.Length);
        using IMemoryOwner<byte> message = frame.Detach();
        #endregion

        Assert.Equal(message.Memory.Length - 4, BitConverter.ToInt32(message.Memory.Span));
        Assert.Equal(JsonSerializer.SerializeToUtf8Bytes(order), message.Memory.Span[4..].ToArray());
    }
}
