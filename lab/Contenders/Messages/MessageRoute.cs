namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// A connection that this process makes and another one opens: made before the other is started, opened there by its
/// <see cref="Address"/>, then connected here.
/// </summary>
internal abstract class MessageRoute(string name) : IDisposable
{
    /// <summary>What a pipe and a ring hold, and what sockets are asked to: enough for fifteen of the longest messages.</summary>
    public const int BufferSize = 1 << 20;

    /// <summary>One of <see cref="MessageNames"/>.</summary>
    public string Name { get; } = name;

    /// <summary>For the other process, which inherits what it names.</summary>
    public abstract string Address { get; }

    /// <summary>This process's end; the other has opened its own.</summary>
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

    private static InvalidDataException Unknown(string name) => new($"No way from process to process here is called {name}.");
}
