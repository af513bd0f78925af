using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>One topic, which each thread has an object of, as processes have. All readers hold the writer back.</summary>
internal sealed class TopicRoute : MessageRoute
{
    private readonly SharedTopic _topic;

    public TopicRoute(string name, MessageTraffic traffic)
        : base(name, traffic)
    {
        Address = UniqueName();
        _topic = SharedTopic.Create(Address, traffic.Messages, traffic.Length);
    }

    public override string Address { get; }

    public override MessageEnds Connect() =>
        new([], [.. Enumerable.Range(0, Traffic.Readers).Select(_ => CreateReader(SharedTopic.Open(Address)))]);

    public static MessageEnds OpenEnds(string name, string address)
    {
        SharedTopic topic = SharedTopic.Open(address);
        return new(
            [
                name == MessageNames.Topic
                    ? new MessageWriter<TopicCopySender>(new(topic), topic)
                    : new MessageWriter<TopicInPlaceSender>(new(topic), topic),
            ],
            []);
    }

    public override void Dispose() => _topic.Dispose();

    private MessageReader CreateReader(SharedTopic topic)
    {
        topic.AllowSynchronousContinuations = IsInline;
        SharedTopicReader reader = topic.OpenReader(holdsWriter: true);
        return Name switch
        {
            MessageNames.Topic => new BlockingReader<TopicCopyReceiver>(new(reader), reader, topic),
            MessageNames.TopicInPlace => new BlockingReader<TopicInPlaceReceiver>(new(reader), reader, topic),
            _ => new AwaitedReader<TopicInPlaceReceiver>(new(reader), reader, topic),
        };
    }
}
