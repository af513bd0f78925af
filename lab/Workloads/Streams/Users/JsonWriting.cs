using System.Buffers;
using System.Text.Json;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>
/// JSON written by hand: straight into the stream's memory where it is a buffer writer, through the writer's own buffer where it is not.
/// </summary>
internal readonly struct JsonWriting<TMaker>(TMaker maker, Order[] orders) : IWork
    where TMaker : struct, IStreamMaker
{
    public void Once()
    {
        using Stream stream = maker.Create(0);
        using Utf8JsonWriter writer = stream is IBufferWriter<byte> buffers ? new Utf8JsonWriter(buffers) : new Utf8JsonWriter(stream);
        writer.WriteStartArray();
        foreach (Order order in orders)
        {
            Write(writer, order);
        }

        writer.WriteEndArray();
        writer.Flush();
        if (stream.Length < orders.Length)
        {
            StreamRound.ThrowShort();
        }
    }

    private static void Write(Utf8JsonWriter writer, Order order)
    {
        writer.WriteStartObject();
        writer.WriteNumber("id"u8, order.Id);
        writer.WriteString("customer"u8, order.Customer);
        writer.WriteString("street"u8, order.Street);
        writer.WriteString("city"u8, order.City);
        writer.WriteNumber("total"u8, order.Total);
        writer.WriteString("placedAt"u8, order.PlacedAt);
        writer.WriteEndObject();
    }
}
