using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>How long a single message takes from one process to another: awake and asleep, awaited, and in place at every size.</summary>
internal sealed class OneWayExperiment : IExperiment
{
    private const string Group = "Single messages between two processes";

    /// <summary>The project's target: from publishing to seeing, at every size.</summary>
    private const double TargetNanoseconds = 100;

    /// <summary>The project's target for an awaited message, as a multiple of a blocking read's time.</summary>
    private const double TargetAwaited = 1.3;

    private static readonly (string Id, string Copying, string InPlace, string Awaited, string Inline)[] s_ours =
    [
        ("ring", MessageNames.Ring, MessageNames.RingInPlace, MessageNames.RingAwaited, MessageNames.RingInline),
        ("queue", MessageNames.Queue, MessageNames.QueueInPlace, MessageNames.QueueAwaited, MessageNames.QueueInline),
        ("topic", MessageNames.Topic, MessageNames.TopicInPlace, MessageNames.TopicAwaited, MessageNames.TopicInline),
    ];

    private static readonly IReadOnlyList<string> s_peers = [.. MessageNames.Peers, MessageNames.Channel, .. MessageNames.Libraries];

    public string Id => "one-way";

    public string Title => "Single messages between two processes";

    public double QuickSeconds => 12;

    public double FullSeconds => 170;

    public ExperimentResult Run(ExperimentContext context) => ToResult(OneWayMeasurements.Take(context));

    internal ExperimentResult ToResult(OneWayMeasurements measured) => new(new OneWaySection(measured).Create(Id, Title))
    {
        Comparisons =
        [
            .. OneWayMeasurements.Sizes.Zip(measured.Whole).SelectMany(at => s_ours
                .Where(ours => ours.Copying == MessageNames.Ring || at.First == OneWayMeasurements.FewSize)
                .SelectMany(ours => at.Second.Medians.CompareWith(
                    ours.Copying, s_peers, $"{Id}-{ours.Id}-{ByteSize.Id(at.First)}", Group,
                    $"{ours.Copying}, {ByteSize.Text(at.First)} one way", static _ => null))),
            .. s_ours.SelectMany(ours => measured.Asleep[0].Medians.CompareWith(
                ours.InPlace, s_peers, $"{Id}-{ours.Id}-asleep", Group,
                $"{ours.InPlace}, {ByteSize.Text(OneWayMeasurements.FewSize)} to a process that sleeps", static _ => null)),
        ],
        Figures =
        [
            .. OneWayMeasurements.Sizes.Zip(measured.Seen).SelectMany(at => s_ours.Select(ours => new Figure
            {
                Id = $"{Id}-seen-{ours.Id}-{ByteSize.Id(at.First)}",
                Title = $"{ours.InPlace}, {ByteSize.Text(at.First)}, from publishing to seeing",
                Value = at.Second.Medians.Median(at.Second.Medians.IndexOf(ours.InPlace)),
                Unit = "ns",
                Bound = TargetNanoseconds,
            })),
            .. OneWayMeasurements.Sizes.Zip(measured.Seen).Where(static at => at.First == OneWayMeasurements.FewSize)
                .SelectMany(at => s_ours.Select(ours => new Figure
                {
                    Id = $"{Id}-counter-{ours.Id}",
                    Title = $"{ours.InPlace} ÷ {MessageNames.Word}, {ByteSize.Text(at.First)}, from publishing to seeing",
                    Value = Ratio(at.Second.Medians, ours.InPlace, MessageNames.Word),
                    Unit = "",
                })),
            .. s_ours.Select(ours => ToAwaited(measured, $"awaited-{ours.Id}", ours.Awaited, ours.InPlace)),
            .. s_ours.Select(ours => ToAwaited(measured, $"inline-{ours.Id}", ours.Inline, ours.InPlace)),
        ],
    };

    /// <summary>A task's time beside that of a call that waits.</summary>
    private Figure ToAwaited(OneWayMeasurements measured, string id, string awaited, string blocking) => new()
    {
        Id = $"{Id}-{id}",
        Title = $"{awaited} ÷ {blocking}, to a process that sleeps",
        Value = Ratio(measured.Asleep[0].Medians, awaited, blocking),
        Unit = "",
        Bound = TargetAwaited,
    };

    private static double Ratio(RoundSamples samples, string one, string other) =>
        samples.Ratio(samples.IndexOf(one), samples.IndexOf(other)).Median;
}
