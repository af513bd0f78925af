using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Some contenders, open in both processes for the same traffic, so that they can take turns.</summary>
internal sealed class MessageRoutes : IDisposable
{
    private readonly MessagePeer _peer;
    private readonly MessageRoute[] _routes;
    private readonly MessageEnds[] _ends;

    /// <param name="peer">The other process, which has one set of routes open at a time.</param>
    /// <param name="contenders">Of <see cref="Contenders.MessageNames"/>.</param>
    /// <param name="traffic">Who sends messages to whom.</param>
    /// <exception cref="InvalidOperationException">The other process failed; the message contains its output.</exception>
    public MessageRoutes(MessagePeer peer, IEnumerable<string> contenders, MessageTraffic traffic)
    {
        _peer = peer;
        Traffic = traffic;
        Gate = MessageGate.Create(traffic.Readers);
        _routes = [.. contenders.Select(name => MessageRoute.Create(name, traffic, peer.Pipes))];
        Open(isLocal: false);
        Open(isLocal: true);
        _ends = [.. _routes.Select(static route => route.Connect())];
    }

    public MessageTraffic Traffic { get; }

    public IReadOnlyList<string> Contenders => [.. _routes.Select(static route => route.Name)];

    /// <summary>A message that takes longer than this after all were sent is lost.</summary>
    public TimeSpan Longest { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For single messages.</summary>
    public MessageGate Gate { get; }

    public string AddressOf(int contender) => _routes[contender].Address;

    /// <summary>This process's ends of a contender.</summary>
    public MessageEnds EndsOf(int contender) => _ends[contender];

    /// <summary>Makes the other process do its part, while the readers of this one do theirs.</summary>
    /// <param name="order">For the other process.</param>
    /// <param name="part">Gets the index of a reader.</param>
    /// <returns>When the last reader ended, by the machine's clock, and the other process's result.</returns>
    /// <exception cref="InvalidOperationException">The other process failed; the message contains its output.</exception>
    /// <exception cref="InvalidDataException">A message was lost, out of order, or different.</exception>
    public (long Ended, string Told) Do(MessageOrder order, Action<int> part)
    {
        MessageRoute route = _routes[order.Contender];
        ThreadsTogether readers = new(Traffic.Readers, MessageTraffic.ReaderProcessor, part);
        Task<string> told = Task.Factory.StartNew(
            () => _peer.Tell(order, route.IsLocal), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        int first = Task.WaitAny(readers.Completion, told);
        if (first == 1 && told.IsCompletedSuccessfully && Task.WaitAny([readers.Completion], Longest) < 0)
        {
            throw new InvalidDataException(
                $"{route.Name}, {Traffic}, {Traffic.Length} bytes: {Longest.TotalSeconds} s after {order.Count} messages were sent, "
                    + "not all have arrived.");
        }

        if (told.IsFaulted)
        {
            told.GetAwaiter().GetResult();
        }

        _peer.Do(() => readers.Completion.GetAwaiter().GetResult());
        return (readers.Ended, told.GetAwaiter().GetResult());
    }

    public void Dispose()
    {
        // The other process may still wait for room; this ends its wait.
        foreach (IDisposable one in (IEnumerable<IDisposable>)[.. _ends, .. _routes, Gate])
        {
            one.Dispose();
        }
    }

    /// <summary>Each side opens its own routes, so that the others' places are empty.</summary>
    private void Open(bool isLocal) => _peer.Tell(
        new MessageOrder
        {
            Kind = MessageOrderKind.Open,
            Traffic = Traffic,
            Gate = Gate.Name,
            Places =
            [
                .. _routes.Select(route => route.IsLocal == isLocal ? new MessageOrder.Place(route.Name, route.Address) : null),
            ],
        },
        isLocal);
}
