namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class TopicCarrierTests : CarrierContract
{
    private protected override Carrier Create()
    {
        SharedTopic topic = Keep(SharedTopic.Create(Name, 2, 32));
        return new TopicCarrier(topic, Keep(topic.OpenReader(holdsWriter: true)));
    }
}
