using System.Text.Json;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Streams.Users;

namespace Tarn.Lab.Tests.Workloads;

public class StreamUsersWorkTests
{
    [Fact]
    public void Every_contender_does_every_work()
    {
        using var trials = new StreamUsersTrials();

        Assert.Equal(["json-small", "json-large", "json-writer", "gzip", "brotli", "socket", "pipe"], trials.All.Select(work => work.Id));
        foreach (StreamContender contender in StreamContenders.Create())
        {
            Assert.All(trials.All, work => Assert.Equal(contender.Name, Ran(contender.Accept(work.Work))));
        }
    }

    [Fact]
    public void Orders_are_the_same_each_time_and_survive_JSON()
    {
        Order[] orders = Order.Create(3);
        string json = JsonSerializer.Serialize(orders);

        Assert.Equal(json, JsonSerializer.Serialize(Order.Create(3)));
        Assert.Equal(json, JsonSerializer.Serialize(JsonSerializer.Deserialize<Order[]>(json)));
        Assert.All(orders, order => Assert.Equal(3, order.Lines.Count));
    }

    [Fact]
    public void A_receiver_has_read_the_whole_message_when_it_says_so()
    {
        const int Size = 300_000;
        var message = new byte[Size];
        foreach (Func<int, Receiver> create in new Func<int, Receiver>[] { Receiver.OverSocket, Receiver.OverPipe })
        {
            using Receiver receiver = create(Size);
            var work = new Sending<TarnStream>(default, message, receiver);
            for (int sent = 1; sent <= 3; sent++)
            {
                work.Once();
                Assert.Equal((long)sent * Size, receiver.BytesReceived);
            }
        }
    }

    [Fact]
    public void Compression_gives_the_payload_back()
    {
        byte[] payload = JsonSerializer.SerializeToUtf8Bytes(Order.Create(50));

        Assert.Equal(payload, BackAgain(default(GZip), payload));
        Assert.Equal(payload, BackAgain(default(Brotli), payload));
    }

    private static byte[] BackAgain<TCompression>(TCompression compression, byte[] payload)
        where TCompression : struct, ICompression
    {
        using var compressed = new PooledMemoryStream();
        using (Stream compressor = compression.Compress(compressed))
        {
            compressor.Write(payload);
        }

        Assert.InRange(compressed.Length, 1, payload.Length / 2);
        compressed.Position = 0;
        using var plain = new PooledMemoryStream();
        using (Stream decompressor = compression.Decompress(compressed))
        {
            decompressor.CopyTo(plain);
        }

        return plain.ToArray();
    }

    private static string Ran(Trial trial)
    {
        trial.Run(2);
        return trial.Name;
    }
}
