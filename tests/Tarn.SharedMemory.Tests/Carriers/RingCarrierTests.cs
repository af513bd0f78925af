namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class RingCarrierTests : CarrierContract
{
    private protected override Carrier Create() => new RingCarrier(Create(64));
}
