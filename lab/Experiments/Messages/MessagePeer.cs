using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The other process, from this one's point of view.</summary>
internal sealed class MessagePeer : IDisposable
{
    private readonly ChildConversation _child;
    private readonly MessageWorker _local = new();

    public MessagePeer()
    {
        _child = new ChildConversation(MessageJob.JobName);
        Tell(new MessageOrder { Kind = MessageOrderKind.Open }, isLocal: false);
        Pipes.WereInherited();
    }

    /// <summary>To and from the other process.</summary>
    public InheritedPipes Pipes { get; } = new();

    /// <summary>Has a command executed, there or, for messages within this process, here. Returns its result.</summary>
    /// <exception cref="InvalidOperationException">The other process failed; the message contains its output.</exception>
    public string Tell(MessageOrder order, bool isLocal)
    {
        if (isLocal)
        {
            return _local.Do(order);
        }

        _child.Tell(order.ToString());
        return _child.Hear();
    }

    /// <summary>Does this process's part of the work. If the other process failed, the exception contains its reason.</summary>
    /// <exception cref="InvalidOperationException">The other process failed; the message contains its output.</exception>
    public void Do(Action work) => _child.Do(work);

    public void Dispose()
    {
        _local.Dispose();
        Pipes.Dispose();
        _child.Dispose();
    }
}
