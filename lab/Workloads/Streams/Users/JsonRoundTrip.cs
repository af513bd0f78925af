using System.Text.Json;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>Objects serialized to a stream and read back from it.</summary>
internal readonly struct JsonRoundTrip<TMaker>(TMaker maker, Order[] orders) : IWork
    where TMaker : struct, IStreamMaker
{
    public void Once()
    {
        using Stream stream = maker.Create(0);
        JsonSerializer.Serialize(stream, orders);
        stream.Position = 0;
        if (JsonSerializer.Deserialize<Order[]>(stream)!.Length != orders.Length)
        {
            StreamRound.ThrowShort();
        }
    }
}
