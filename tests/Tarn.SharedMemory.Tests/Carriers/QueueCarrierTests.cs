namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class QueueCarrierTests : CarrierContract
{
    private protected override Carrier Create() => new QueueCarrier(Keep(SharedQueue.Create(Name, 2, 32)));
}
