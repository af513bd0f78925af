namespace Tarn.Lab.Contenders.Messages;

/// <summary>Two rings, one for each direction.</summary>
internal sealed class RingRoute : MessageRoute
{
    private const string There = "-there";
    private const string Back = "-back";

    private readonly SharedRing _there;
    private readonly SharedRing _back;

    public RingRoute(string name)
        : base(name)
    {
        Address = $"tarn-lab-{Guid.NewGuid():N}";
        _there = SharedRing.Create(Address + There, BufferSize);
        _back = SharedRing.Create(Address + Back, BufferSize);
    }

    public override string Address { get; }

    public override MessageEnd Connect() => CreateEnd(Name, _there, _back);

    public static MessageEnd OpenEnd(string name, string address) =>
        CreateEnd(name, SharedRing.Open(address + Back), SharedRing.Open(address + There));

    public override void Dispose()
    {
        _there.Dispose();
        _back.Dispose();
    }

    private static MessageEnd CreateEnd(string name, SharedRing to, SharedRing from) => name == MessageNames.RingInPlace
        ? new MessageEnd<RingInPlaceSender, RingInPlaceReceiver>(new(to), new(from), to, from)
        : new MessageEnd<RingCopySender, RingCopyReceiver>(new(to), new(from), to, from);
}
