using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>A ring to each reader, and one back where messages are answered.</summary>
internal sealed class RingRoute : MessageRoute
{
    private const string Back = "-back";

    private readonly SharedRing[] _there;
    private readonly SharedRing? _back;

    public RingRoute(string name, MessageTraffic traffic)
        : base(name, traffic)
    {
        Address = UniqueName();
        _there = [.. NamesThere(Address, traffic).Select(there => SharedRing.Create(there, traffic.Bytes))];
        Array.ForEach(_there, ring => ring.AllowSynchronousContinuations = IsInline);
        _back = traffic.IsAnswered ? SharedRing.Create(Address + Back, traffic.Bytes) : null;
    }

    public override string Address { get; }

    public override MessageEnds Connect() => new(
        _back is null ? [] : [CreateWriter(Name, [_back], Traffic)],
        [.. _there.Select(ring => CreateReader(Name, ring, Traffic))]);

    public static MessageEnds OpenEnds(string name, string address, MessageTraffic traffic) => new(
        [CreateWriter(name, [.. NamesThere(address, traffic).Select(there => SharedRing.Open(there))], traffic)],
        traffic.IsAnswered ? [CreateReader(name, SharedRing.Open(address + Back), traffic)] : []);

    public override void Dispose()
    {
        Array.ForEach(_there, static ring => ring.Dispose());
        _back?.Dispose();
    }

    private static IEnumerable<string> NamesThere(string address, MessageTraffic traffic) =>
        Enumerable.Range(0, traffic.Ways).Select(way => $"{address}-{way}");

    private static MessageWriter CreateWriter(string name, SharedRing[] rings, MessageTraffic traffic) => name == MessageNames.Ring
        ? FanOut<RingCopySender>.CreateWriter([.. rings.Select(ring => new RingCopySender(ring, traffic.Length))], traffic.Length, rings)
        : FanOut<RingInPlaceSender>.CreateWriter([.. rings.Select(static ring => new RingInPlaceSender(ring))], traffic.Length, rings);

    private static MessageReader CreateReader(string name, SharedRing ring, MessageTraffic traffic) => name switch
    {
        MessageNames.Ring => new BlockingReader<RingCopyReceiver>(new(ring, traffic.Length), ring),
        MessageNames.RingInPlace => new BlockingReader<RingInPlaceReceiver>(new(ring), ring),
        _ => new AwaitedReader<RingInPlaceReceiver>(new(ring), ring),
    };
}
