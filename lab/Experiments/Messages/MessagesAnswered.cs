using System.Diagnostics;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// Repeated round trips: each process waits for the other, but not for long. The time is from before a message is written until its answer
/// is verified.
/// </summary>
internal sealed class MessagesAnswered(
    MessageRoutes routes, int contender, int processor = MessageTraffic.WriterProcessor) : LatencyTrial(routes.Contenders[contender])
{
    protected override void Measure(long[] ticks)
    {
        MessageEnds ends = routes.EndsOf(contender);
        int length = routes.Traffic.Length;
        routes.Do(
            new MessageOrder { Kind = MessageOrderKind.Echo, Contender = contender, Count = ticks.Length, Processor = processor },
            _ =>
            {
                for (int number = 0; number < ticks.Length; number++)
                {
                    OrderedCheck check = new(length, number, 1);
                    long start = Stopwatch.GetTimestamp();
                    ends.Writers[0].Send(length, number, 1, 1);
                    ends.Readers[0].Read(ref check);
                    ticks[number] = Stopwatch.GetTimestamp() - start;
                }
            });
    }
}
