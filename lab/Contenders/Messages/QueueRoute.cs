using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>One queue, which each thread has an object of, as processes have.</summary>
internal sealed class QueueRoute : MessageRoute
{
    private readonly SharedQueue _queue;

    public QueueRoute(string name, MessageTraffic traffic)
        : base(name, traffic)
    {
        Address = UniqueName();
        _queue = SharedQueue.Create(Address, traffic.Messages, traffic.Length);
    }

    public override string Address { get; }

    public override MessageEnds Connect() =>
        new([], [.. Enumerable.Range(0, Traffic.Readers).Select(_ => CreateReader(SharedQueue.Open(Address)))]);

    public static MessageEnds OpenEnds(string name, string address, MessageTraffic traffic) =>
        new([.. Enumerable.Range(0, traffic.Writers).Select(_ => CreateWriter(name, SharedQueue.Open(address)))], []);

    public override void Dispose() => _queue.Dispose();

    private static MessageWriter CreateWriter(string name, SharedQueue queue) => name == MessageNames.Queue
        ? new MessageWriter<QueueCopySender>(new(queue), queue)
        : new MessageWriter<QueueInPlaceSender>(new(queue), queue);

    private MessageReader CreateReader(SharedQueue queue)
    {
        queue.AllowSynchronousContinuations = IsInline;
        return Name switch
        {
            MessageNames.Queue => new BlockingReader<QueueCopyReceiver>(new(queue), queue),
            MessageNames.QueueInPlace => new BlockingReader<QueueInPlaceReceiver>(new(queue), queue),
            _ => new AwaitedReader<QueueInPlaceReceiver>(new(queue), queue),
        };
    }
}
