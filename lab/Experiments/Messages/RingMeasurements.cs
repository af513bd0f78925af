using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Messages;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>All measurements of the experiment.</summary>
/// <param name="Sizes">Bytes of messages.</param>
/// <param name="Sent">Nanoseconds for a message, both processes busy; by size.</param>
/// <param name="Switches">How often processors were given up for a million of these, by size and contender; null if unknown.</param>
/// <param name="Answered">Nanoseconds of a round trip, by size.</param>
/// <param name="Paced">Nanoseconds one way to a sleeping process, messages of <see cref="FewSize"/>.</param>
/// <param name="OneProcessor">As Answered, messages of <see cref="FewSize"/>, both processes on one processor.</param>
/// <param name="OneThread">
/// Nanoseconds to write and read a message on one thread; by size of <see cref="OneThreadSizes"/>, the copying form and the other.
/// </param>
internal sealed record RingMeasurements(
    IReadOnlyList<int> Sizes,
    IReadOnlyList<RoundSamples> Sent,
    IReadOnlyList<IReadOnlyList<double?>> Switches,
    IReadOnlyList<LatencyRounds> Answered,
    LatencyRounds Paced,
    LatencyRounds OneProcessor,
    IReadOnlyList<RoundSamples> OneThread)
{
    /// <summary>Bytes of messages that are measured in one size only.</summary>
    public const int FewSize = 64;

    public static readonly IReadOnlyList<int> OneThreadSizes = [16, 64, 1 << 10, MessageContents.LongestMessage];

    /// <summary>The shares of the time that the parts take, for the progress.</summary>
    private const int Parts = 10;
    private const int PartsSent = 6;

    /// <summary>Rounds of messages one way, the most important.</summary>
    private static RoundSettings SentRounds(ExperimentContext context) =>
        context.IsFull ? new(41, TimeSpan.FromMilliseconds(50)) : new(9, TimeSpan.FromMilliseconds(10));

    private static RoundSettings AnsweredRounds(ExperimentContext context) =>
        context.IsFull ? new(21, TimeSpan.FromMilliseconds(25)) : new(9, TimeSpan.FromMilliseconds(6));

    public static RingMeasurements Take(ExperimentContext context, IReadOnlyList<int> sizes)
    {
        Random random = context.CreateRandom();
        using var peer = new MessagePeer(MessageNames.All);
        int[] contenders = [.. Enumerable.Range(0, MessageNames.All.Count)];
        MessagesSent[][] sent =
        [
            .. sizes.Select(size => contenders.Select(contender => new MessagesSent(peer, contender, size)).ToArray()),
        ];
        LatencyTrial[][] answered =
        [
            .. sizes.Select(size => contenders.Select(contender => new MessagesAnswered(peer, contender, size)).ToArray()),
        ];
        LatencyTrial[] paced = [.. contenders.Select(contender => new MessagesPaced(peer, contender, FewSize))];
        LatencyTrial[] together =
        [
            .. contenders.Select(contender => new MessagesAnswered(peer, contender, FewSize, MessageTask.OwnProcessor)),
        ];

        // The code is the same for all sizes.
        int some = sizes.Count / 2;
        WarmUp.Run([.. sent[some], .. answered[some], .. paced]);

        RoundSettings sentRounds = SentRounds(context);
        var sentSamples = new List<RoundSamples>();
        foreach (MessagesSent[] trials in sent)
        {
            sentSamples.Add(PairedRounds.Measure(trials, sentRounds, random));
            context.Report((double)PartsSent / Parts * sentSamples.Count / sizes.Count);
        }

        RoundSettings answeredRounds = AnsweredRounds(context);
        var answeredSamples = new List<LatencyRounds>();
        foreach (LatencyTrial[] trials in answered)
        {
            answeredSamples.Add(LatencyRounds.Measure(
                trials, answeredRounds, trial => PairedRounds.Calibrate(trial, answeredRounds.SampleTime), random));
            context.Report((PartsSent + (2.0 * answeredSamples.Count / sizes.Count)) / Parts);
        }

        LatencyRounds pacedSamples = LatencyRounds.Measure(
            paced, context.IsFull ? new(15, default) : new(3, default), _ => context.IsFull ? 500 : 200, random);
        LatencyRounds togetherSamples = LatencyRounds.Measure(
            together, answeredRounds, trial => PairedRounds.Calibrate(trial, answeredRounds.SampleTime), random);
        context.Report((PartsSent + 3.0) / Parts);
        return new RingMeasurements(
            sizes,
            sentSamples,
            [.. sent.Select(trials => (IReadOnlyList<double?>)[.. trials.Select(trial => trial.SwitchesPerMillion(sentRounds.Rounds))])],
            answeredSamples,
            pacedSamples,
            togetherSamples,
            MeasureOneThread(context));
    }

    private static IReadOnlyList<RoundSamples> MeasureOneThread(ExperimentContext context)
    {
        using var ring = SharedRing.Create($"tarn-lab-{Guid.NewGuid():N}", MessageRoute.BufferSize);
        Sweep sweep = Sweep.Run(context.Part(Parts, Parts), OneThreadSizes, size =>
        [
            new LoopTrial<RingPair>(MessageNames.Ring, new(ring, new byte[size])),
            new LoopTrial<RingPairInPlace>(MessageNames.RingInPlace, new(ring, size)),
        ]);
        return sweep.Samples;
    }
}
