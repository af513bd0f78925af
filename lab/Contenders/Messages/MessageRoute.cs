namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// A connection that this process creates and another one opens. It is created before the other process starts, opened there by its
/// <see cref="Address"/>, and then connected here.
/// </summary>
internal abstract class MessageRoute(string name) : IDisposable
{
    /// <summary>
    /// The bytes that a pipe and a ring hold, and that sockets are asked to hold: enough for fifteen of the longest messages.
    /// </summary>
    public const int BufferSize = 1 << 20;

    /// <summary>One of <see cref="MessageNames"/>.</summary>
    public string Name { get; } = name;

    /// <summary>The address for the other process, which inherits the objects it names.</summary>
    public abstract string Address { get; }

    /// <summary>Connects this process's end, after the other has opened its own.</summary>
    public abstract MessageEnd Connect();

    public abstract void Dispose();

    /// <param name="name">One of <see cref="MessageNames"/>.</param>
    public static MessageRoute Create(string name) => name switch
    {
        MessageNames.Ring or MessageNames.RingInPlace => new RingRoute(name),
        MessageNames.Pipe => new PipeRoute(),
        MessageNames.UnixSocket or MessageNames.Tcp => new SocketRoute(name),
        _ => throw Unknown(name),
    };

    /// <summary>The other process's end.</summary>
    /// <exception cref="InvalidDataException">There is no such contender.</exception>
    public static MessageEnd Open(string name, string address) => name switch
    {
        MessageNames.Ring or MessageNames.RingInPlace => RingRoute.OpenEnd(name, address),
        MessageNames.Pipe => PipeRoute.OpenEnd(address),
        MessageNames.UnixSocket or MessageNames.Tcp => SocketRoute.OpenEnd(name, address),
        _ => throw Unknown(name),
    };

    private static InvalidDataException Unknown(string name) => new($"There is no message route named {name}.");
}
