using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Single messages to a process that sleeps in between and must be woken for each.</summary>
internal sealed class MessagesPaced(MessagePeer peer, int contender, int length) : LatencyTrial(peer.Contenders[contender])
{
    /// <summary>With the pauses.</summary>
    public override double Run(int iterations) => base.Run(iterations) + (iterations * MessageJob.Pause.TotalNanoseconds);

    protected override void Measure(long[] ticks) =>
        peer.Do(new MessageTask(MessageTaskKind.SendPaced, contender, length, ticks.Length), end => end.ReceivePaced(length, ticks));
}
