using System.Text.Json;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Streams.Users;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Typical uses of streams, each for every contender. Holds the other ends of a socket and a pipe.</summary>
internal sealed class StreamUsersTrials : IDisposable
{
    private const int FewOrders = 2;
    private const int ManyOrders = 1_000;
    private const int MessageSize = 256 << 10;
    private static readonly Order[] s_few = Order.Create(FewOrders);
    private static readonly Order[] s_many = Order.Create(ManyOrders);
    private static readonly byte[] s_manyAsJson = JsonSerializer.SerializeToUtf8Bytes(s_many);

    private readonly byte[] _message = new byte[MessageSize];
    private readonly Receiver _socket = Receiver.OverSocket(MessageSize);
    private readonly Receiver _pipe = Receiver.OverPipe(MessageSize);

    /// <summary>Id, title and visitor of each work, in reading order.</summary>
    public IReadOnlyList<(string Id, string Title, IStreamVisitor<Trial> Work)> All =>
    [
        ("json-small", "Two orders to JSON and back", new RoundTrips(s_few)),
        ("json-large", "A thousand orders to JSON and back", new RoundTrips(s_many)),
        ("json-writer", "A thousand orders through Utf8JsonWriter", new Writers()),
        ("gzip", "GZip and back", new Compressors<GZip>()),
        ("brotli", "Brotli and back", new Compressors<Brotli>()),
        ("socket", "256 KiB to a socket", new Senders(_message, _socket)),
        ("pipe", "256 KiB to a pipe", new Senders(_message, _pipe)),
    ];

    public void Dispose()
    {
        _socket.Dispose();
        _pipe.Dispose();
    }

    private sealed class RoundTrips(Order[] orders) : IStreamVisitor<Trial>
    {
        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker => new LoopTrial<JsonRoundTrip<TMaker>>(name, new(maker, orders));
    }

    private sealed class Writers : IStreamVisitor<Trial>
    {
        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker => new LoopTrial<JsonWriting<TMaker>>(name, new(maker, s_many));
    }

    private sealed class Compressors<TCompression> : IStreamVisitor<Trial>
        where TCompression : struct, ICompression
    {
        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker => new LoopTrial<Compressing<TMaker, TCompression>>(name, new(maker, s_manyAsJson));
    }

    private sealed class Senders(byte[] message, Receiver receiver) : IStreamVisitor<Trial>
    {
        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker => new LoopTrial<Sending<TMaker>>(name, new(maker, message, receiver));
    }
}
