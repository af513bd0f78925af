using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages one way, both processes busy: the time from before the first is written until the last is verified.</summary>
internal sealed class MessagesSent(MessagePeer peer, int contender, int length) : Trial(peer.Contenders[contender], 1)
{
    private readonly List<(int Messages, long Switches)> _runs = [];

    public override double Run(int iterations)
    {
        long start = 0;
        long switches = 0;
        var receipt = MessageReceipt.Parse(peer.Do(new MessageTask(MessageTaskKind.Receive, contender, length, iterations), end =>
        {
            switches = ThreadSwitches.Read().Waits;
            start = Stopwatch.GetTimestamp();
            end.Send(length, first: 0, iterations);
            switches = ThreadSwitches.Read().Waits - switches;
        }));
        _runs.Add((iterations, switches + receipt.Switches));
        return Clock.Nanoseconds(start, receipt.Ended);
    }

    /// <summary>
    /// Returns how often both threads together gave up their processors for a million messages of the last runs; null if unknown.
    /// </summary>
    public double? SwitchesPerMillion(int runs)
    {
        (int Messages, long Switches)[] last = [.. _runs.TakeLast(runs)];
        return ThreadSwitches.AreKnown ? 1e6 * last.Sum(run => run.Switches) / last.Sum(run => (double)run.Messages) : null;
    }
}
