using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Messages;
using Tarn.SharedMemory;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>All measurements of the experiment.</summary>
/// <param name="Sizes">Bytes of messages.</param>
/// <param name="Sent">Nanoseconds for a message, both processes busy; by size.</param>
/// <param name="Switches">How often processors were given up for a million of these, by size and contender; null if unknown.</param>
/// <param name="Answered">Nanoseconds of a round trip, by size.</param>
/// <param name="OneProcessor">As Answered, messages of <see cref="FewSize"/>, both processes on one processor.</param>
/// <param name="OneThread">
/// Nanoseconds to write and read a message on one thread; by size of <see cref="OneThreadSizes"/>, the copying form and the other.
/// </param>
internal sealed record RingMeasurements(
    IReadOnlyList<int> Sizes,
    IReadOnlyList<RoundSamples> Sent,
    IReadOnlyList<IReadOnlyList<double?>> Switches,
    IReadOnlyList<LatencyRounds> Answered,
    LatencyRounds OneProcessor,
    IReadOnlyList<RoundSamples> OneThread)
{
    /// <summary>Bytes of messages that are measured in one size only.</summary>
    public const int FewSize = 64;

    public static readonly IReadOnlyList<int> OneThreadSizes = [16, 64, 1 << 10, 64 << 10];

    /// <summary>The shares of the time that the parts take, for the progress.</summary>
    private const int Parts = 10;
    private const int PartsBetween = 9;

    /// <summary>Rounds of messages one way, the most important.</summary>
    private static RoundSettings SentRounds(ExperimentContext context) =>
        context.IsFull ? new(41, TimeSpan.FromMilliseconds(50)) : new(9, TimeSpan.FromMilliseconds(10));

    private static RoundSettings AnsweredRounds(ExperimentContext context) =>
        context.IsFull ? new(21, TimeSpan.FromMilliseconds(25)) : new(9, TimeSpan.FromMilliseconds(6));

    public static RingMeasurements Take(ExperimentContext context, IReadOnlyList<int> sizes)
    {
        Random random = context.CreateRandom();
        using MessagePeer peer = new();
        RoundSettings sentRounds = SentRounds(context);
        RoundSettings answeredRounds = AnsweredRounds(context);
        LatencyRounds together;
        using (MessageRoutes few = new(peer, MessageNames.All, MessageTraffic.Between(FewSize)))
        {
            // The code is the same for all sizes.
            WarmUp.Run([.. TrialsSent(few), .. TrialsAnswered(few, MessageTraffic.WriterProcessor)]);
            together = Measure(TrialsAnswered(few, MessageTraffic.ReaderProcessor), answeredRounds, random);
        }

        List<RoundSamples> sent = [];
        List<IReadOnlyList<double?>> switches = [];
        List<LatencyRounds> answered = [];
        foreach (int size in sizes)
        {
            using MessageRoutes routes = new(peer, MessageNames.All, MessageTraffic.Between(size));
            MessagesSent[] trials = TrialsSent(routes);
            sent.Add(PairedRounds.Measure(trials, sentRounds, random));
            switches.Add([.. trials.Select(trial => trial.SwitchesPerMillion(sentRounds.Rounds))]);
            answered.Add(Measure(TrialsAnswered(routes, MessageTraffic.WriterProcessor), answeredRounds, random));
            context.Report((double)PartsBetween / Parts * sent.Count / sizes.Count);
        }

        return new RingMeasurements(sizes, sent, switches, answered, together, MeasureOneThread(context));
    }

    private static MessagesSent[] TrialsSent(MessageRoutes routes) =>
        [.. routes.Contenders.Select((_, contender) => new MessagesSent(routes, contender))];

    private static LatencyTrial[] TrialsAnswered(MessageRoutes routes, int processor) =>
        [.. routes.Contenders.Select((_, contender) => new MessagesAnswered(routes, contender, processor))];

    private static LatencyRounds Measure(LatencyTrial[] trials, RoundSettings rounds, Random random) =>
        LatencyRounds.Measure(trials, rounds, trial => PairedRounds.Calibrate(trial, rounds.SampleTime), random);

    private static IReadOnlyList<RoundSamples> MeasureOneThread(ExperimentContext context)
    {
        using var ring = SharedRing.Create($"tarn-lab-{Guid.NewGuid():N}", MessageTraffic.UsualBytes);
        Sweep sweep = Sweep.Run(context.Part(Parts, Parts), OneThreadSizes, size =>
        [
            new LoopTrial<RingPair>(MessageNames.Ring, new(ring, new byte[size])),
            new LoopTrial<RingPairInPlace>(MessageNames.RingInPlace, new(ring, size)),
        ]);
        return sweep.Samples;
    }
}
