using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Does the part of the other process: has the writers of the routes, and sends what it is told.</summary>
internal sealed class MessageWorker : IDisposable
{
    private MessageEnds?[] _ends = [];
    private MessageTraffic _traffic = new(1, 1, MessageContents.ShortestMessage);
    private MessageGate? _gate;

    /// <summary>Executes a command and returns its result.</summary>
    /// <exception cref="InvalidDataException">A message was missing or different.</exception>
    public string Do(MessageOrder order)
    {
        switch (order.Kind)
        {
            case MessageOrderKind.Open:
                Open(order);
                return "";
            case MessageOrderKind.Send:
                return Send(order).ToString();
            case MessageOrderKind.SendTimed:
                Run(order, 1, _ => EndsOf(order).Writers[0]
                    .SendTimed(_traffic.Length, order.Count, order.IsAsleep, order.IsPrepared, _gate!, _traffic.Readers));
                return "";
            default:
                Run(order, 1, _ => Echo(EndsOf(order), order.Count));
                return "";
        }
    }

    public void Dispose()
    {
        Array.ForEach(_ends, static end => end?.Dispose());
        _ends = [];
        _gate?.Dispose();
        _gate = null;
    }

    private void Open(MessageOrder order)
    {
        Dispose();
        _traffic = order.Traffic ?? _traffic;
        _gate = order.Gate is { } name ? MessageGate.Open(name) : null;
        _ends = [.. order.Places.Select(place => place is null ? null : MessageRoute.Open(place.Name, place.Address, _traffic))];
    }

    private MessageEnds EndsOf(MessageOrder order) =>
        _ends[order.Contender] ?? throw new InvalidDataException($"Contender {order.Contender} has no part here.");

    private MessageReceipt Send(MessageOrder order)
    {
        IReadOnlyList<MessageWriter> writers = EndsOf(order).Writers;
        long switches = 0;
        ThreadsTogether threads = Run(order, writers.Count, writer =>
        {
            long before = ThreadSwitches.Read().Waits;
            writers[writer].Send(_traffic.Length, order.First + writer, writers.Count, order.Count / writers.Count);
            Interlocked.Add(ref switches, ThreadSwitches.Read().Waits - before);
        });
        return new MessageReceipt(threads.Started, switches);
    }

    private void Echo(MessageEnds ends, int count)
    {
        for (int number = 0; number < count; number++)
        {
            OrderedCheck check = new(_traffic.Length, number, 1);
            ends.Readers[0].Read(ref check);
            ends.Writers[0].Send(_traffic.Length, number, 1, 1);
        }
    }

    private static ThreadsTogether Run(MessageOrder order, int count, Action<int> work)
    {
        ThreadsTogether threads = new(count, order.Processor, work);
        threads.Completion.GetAwaiter().GetResult();
        return threads;
    }
}
