using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// A way from another process to this one, which this process creates. It is opened by its <see cref="Address"/> in the other process, and
/// then connected here.
/// </summary>
internal abstract class MessageRoute(string name, MessageTraffic traffic) : IDisposable
{
    /// <summary>One of <see cref="MessageNames"/>.</summary>
    public string Name { get; } = name;

    public MessageTraffic Traffic { get; } = traffic;

    /// <summary>Whether messages are passed within this process, so that there is no other.</summary>
    public virtual bool IsLocal => false;

    /// <summary>For the other process, which inherits the objects it names.</summary>
    public abstract string Address { get; }

    /// <summary>Whether tasks that read a ring, queue or topic go on where they were waited for.</summary>
    protected bool IsInline => Name is MessageNames.RingInline or MessageNames.QueueInline or MessageNames.TopicInline;

    /// <summary>Connects this process's ends, after the other has opened its own.</summary>
    public abstract MessageEnds Connect();

    public abstract void Dispose();

    /// <param name="name">One of <see cref="MessageNames"/>.</param>
    /// <param name="traffic">Who sends messages to whom.</param>
    /// <param name="pipes">The pipes whose ends the other process inherited.</param>
    /// <exception cref="InvalidDataException">There is no such contender.</exception>
    public static MessageRoute Create(string name, MessageTraffic traffic, InheritedPipes pipes) => name switch
    {
        MessageNames.Ring or MessageNames.RingInPlace or MessageNames.RingAwaited or MessageNames.RingInline
            => new RingRoute(name, traffic),
        MessageNames.Queue or MessageNames.QueueInPlace or MessageNames.QueueAwaited or MessageNames.QueueInline
            => new QueueRoute(name, traffic),
        MessageNames.Topic or MessageNames.TopicInPlace or MessageNames.TopicAwaited or MessageNames.TopicInline
            => new TopicRoute(name, traffic),
        MessageNames.Pipe => new PipeRoute(pipes, traffic),
        MessageNames.UnixSocket or MessageNames.Tcp => new SocketRoute(name, traffic),
        MessageNames.Channel or MessageNames.ChannelAwaited => new ChannelRoute(name, traffic),
        MessageNames.Word => new WordRoute(traffic),
#if INTERPROCESS
        MessageNames.Interprocess => new InterprocessRoute(traffic),
#endif
#if DISRUPTOR
        MessageNames.Disruptor => DisruptorRoute.Create(traffic),
#endif
        _ => throw Unknown(name),
    };

    /// <summary>The other process's ends.</summary>
    /// <exception cref="InvalidDataException">There is no such contender.</exception>
    public static MessageEnds Open(string name, string address, MessageTraffic traffic) => name switch
    {
        MessageNames.Ring or MessageNames.RingInPlace or MessageNames.RingAwaited or MessageNames.RingInline
            => RingRoute.OpenEnds(name, address, traffic),
        MessageNames.Queue or MessageNames.QueueInPlace or MessageNames.QueueAwaited or MessageNames.QueueInline
            => QueueRoute.OpenEnds(name, address, traffic),
        MessageNames.Topic or MessageNames.TopicInPlace or MessageNames.TopicAwaited or MessageNames.TopicInline
            => TopicRoute.OpenEnds(name, address),
        MessageNames.Pipe => PipeRoute.OpenEnds(address, traffic),
        MessageNames.UnixSocket or MessageNames.Tcp => SocketRoute.OpenEnds(name, address, traffic),
        MessageNames.Channel or MessageNames.ChannelAwaited => ChannelRoute.OpenEnds(address, traffic),
        MessageNames.Word => WordRoute.OpenEnds(address, traffic),
#if INTERPROCESS
        MessageNames.Interprocess => InterprocessRoute.OpenEnds(address, traffic),
#endif
#if DISRUPTOR
        MessageNames.Disruptor => DisruptorRoute.OpenEnds(address, traffic),
#endif
        _ => throw Unknown(name),
    };

    /// <summary>A name that nothing on the machine has.</summary>
    protected static string UniqueName() => $"tarn-lab-{Guid.NewGuid():N}";

    private static InvalidDataException Unknown(string name) => new($"There is no message route named {name}.");
}
