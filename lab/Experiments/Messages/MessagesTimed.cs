using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>
/// Single messages one way, each sent when the one before was passed, from the time it contains until the last reader has it.
/// </summary>
/// <param name="routes">The open routes.</param>
/// <param name="contender">The index of the one to measure.</param>
/// <param name="isAsleep">
/// Whether sender and readers sleep between two messages; otherwise they are awake, on processors of their own.
/// </param>
/// <param name="isPrepared">
/// Whether the time is that from publishing to seeing: it begins when the message lies written in place, and ends when its first bytes are
/// read. Otherwise it begins before the first byte is written and ends when the last is verified.
/// </param>
internal sealed class MessagesTimed(MessageRoutes routes, int contender, bool isAsleep, bool isPrepared) :
    LatencyTrial(routes.Contenders[contender])
{
    /// <summary>With the pauses.</summary>
    public override double Run(int iterations) =>
        base.Run(iterations) + (iterations * (isAsleep ? MessageWriter.AsleepPause : MessageWriter.AwakePause).TotalNanoseconds);

    protected override void Measure(long[] ticks)
    {
        int readers = routes.Traffic.Readers;
        long[][] own = [.. Enumerable.Range(0, readers).Select(_ => new long[ticks.Length])];
        routes.Gate.Reset(readers);
        routes.Do(
            new MessageOrder
            {
                Kind = MessageOrderKind.SendTimed,
                Contender = contender,
                Count = ticks.Length,
                IsAsleep = isAsleep,
                IsPrepared = isPrepared,
            },
            reader => Read(reader, own[reader]));
        for (int number = 0; number < ticks.Length; number++)
        {
            ticks[number] = own.Max(some => some[number]);
        }
    }

    private void Read(int index, long[] ticks)
    {
        MessageReader reader = routes.EndsOf(contender).Readers[index];
        if (isPrepared)
        {
            SeenCheck seen = new(routes.Traffic.Length, ticks, routes.Gate, index);
            reader.Read(ref seen);
        }
        else
        {
            TimedCheck timed = new(routes.Traffic.Length, ticks, routes.Gate, index);
            reader.Read(ref timed);
        }
    }
}
