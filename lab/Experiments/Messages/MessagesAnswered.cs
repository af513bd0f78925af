using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Repeated round trips: each process waits for the other, but not for long.</summary>
internal sealed class MessagesAnswered(
    MessagePeer peer, int contender, int length, int processor = MessageTask.OtherProcessor) : LatencyTrial(peer.Contenders[contender])
{
    protected override void Measure(long[] ticks) =>
        peer.Do(new MessageTask(MessageTaskKind.Echo, contender, length, ticks.Length, processor), end => end.Ping(length, ticks));
}
