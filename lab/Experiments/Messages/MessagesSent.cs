using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// Messages one way, all threads busy: the time from before the first is written until the last is verified. One writer's messages must
/// come in order to one reader and to each reader of a topic; otherwise every number must come once.
/// </summary>
internal sealed class MessagesSent(MessageRoutes routes, int contender) : Trial(routes.Contenders[contender], 1)
{
    private readonly List<(int Messages, long Switches)> _runs = [];

    /// <exception cref="InvalidDataException">A message was lost, torn, or came twice.</exception>
    public override double Run(int iterations)
    {
        MessageTraffic traffic = routes.Traffic;
        int step = traffic.Writers * (traffic.IsTopic ? 1 : traffic.Readers);
        int messages = (iterations + step - 1) / step * step;
        long switches = 0;
        long sum = 0;
        (long ended, string told) = routes.Do(
            new MessageOrder { Kind = MessageOrderKind.Send, Contender = contender, Count = messages },
            reader =>
            {
                long before = ThreadSwitches.Read().Waits;
                Interlocked.Add(ref sum, Receive(reader, messages));
                Interlocked.Add(ref switches, ThreadSwitches.Read().Waits - before);
            });
        if (sum != messages * (messages - 1L) / 2)
        {
            throw new InvalidDataException($"{Name}, {traffic}, {traffic.Length} bytes: a message was lost, or came twice.");
        }

        var receipt = MessageReceipt.Parse(told);
        _runs.Add((messages, switches + receipt.Switches));
        return Clock.Nanoseconds(receipt.Started, ended) * iterations / messages;
    }

    /// <summary>
    /// Returns how often all threads together gave up their processors for a million messages of the last runs; null if unknown.
    /// </summary>
    public double? SwitchesPerMillion(int runs)
    {
        (int Messages, long Switches)[] last = [.. _runs.TakeLast(runs)];
        return ThreadSwitches.AreKnown ? 1e6 * last.Sum(run => run.Switches) / last.Sum(run => (double)run.Messages) : null;
    }

    /// <summary>Returns the reader's part of the sum of all numbers.</summary>
    private long Receive(int index, int messages)
    {
        MessageTraffic traffic = routes.Traffic;
        MessageReader reader = routes.EndsOf(contender).Readers[index];
        if (traffic.IsSimple)
        {
            OrderedCheck ordered = new(traffic.Length, first: 0, messages);
            reader.Read(ref ordered);
            return index == 0 ? messages * (messages - 1L) / 2 : 0;
        }

        SummedCheck summed = new(traffic.Length, messages / traffic.Readers);
        reader.Read(ref summed);
        return summed.Sum;
    }
}
