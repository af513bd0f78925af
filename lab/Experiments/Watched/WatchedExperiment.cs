using System.Diagnostics.Tracing;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;
using Tarn.Lab.Workloads.Watched;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>What it costs a program to be watched: sampling, and each mode of the tool.</summary>
internal sealed class WatchedExperiment : IExperiment
{
    private const string Alone = "alone";
    private const string Events = "events";
    private const string Sampled = "sampled";
    private const int Size = 1 << 10;
    private static readonly RoundSettings s_quick = new(9, TimeSpan.FromMilliseconds(20));
    private static readonly RoundSettings s_full = new(41, TimeSpan.FromMilliseconds(50));

    private static readonly (string Id, string Title, Func<IDisposable> Start)[] s_modes =
    [
        (Alone, "not watched", static () => Unwatched.Instance),
        (Events, "tarn watch", static () => EventSession.Start(EventLevel.Informational, stacks: false)),
        (Sampled, "sampled, a heap profile", static () => Sampling.Start()),
        ("rents", "tarn watch --rents", static () => EventSession.Start(EventLevel.Verbose, stacks: false)),
        ("stacks", "tarn record", static () => EventSession.Start(EventLevel.Verbose, stacks: true)),
    ];

    public string Id => "watched";

    public string Title => "What being watched costs";

    public double QuickSeconds => 30;

    public double FullSeconds => 120;

    public ExperimentResult Run(ExperimentContext context)
    {
        RoundSamples ours = Measure(context.Part(1, 2), new LoopTrial<SinglePair<TarnShared>>(PoolNames.TarnShared, new(default, Size)));
        RoundSamples theirs = Measure(context.Part(2, 2), new LoopTrial<SinglePair<BclShared>>(PoolNames.BclShared, new(default, Size)));
        return new ExperimentResult(Describe(ours, theirs))
        {
            Figures = [.. FiguresOf(ours, "tarn", PoolNames.TarnShared), .. FiguresOf(theirs, "bcl", PoolNames.BclShared)],
        };
    }

    private static RoundSamples Measure(ExperimentContext context, Trial pair)
    {
        WarmUp.Run([pair]);
        RoundSettings settings = context.IsFull ? s_full : s_quick;
        WatchedTrial[] trials = [.. s_modes.Select(mode => new WatchedTrial(mode.Title, pair, mode.Start))];
        int[] iterations = new int[trials.Length];
        for (int index = 0; index < trials.Length; index++)
        {
            iterations[index] = trials[index].Calibrate(settings.SampleTime);
            context.Report((index + 1.0) / (2 * trials.Length));
        }

        RoundSamples samples = PairedRounds.Measure(trials, iterations, settings.Rounds, context.CreateRandom());
        context.Report(1);
        return samples;
    }

    /// <summary>
    /// The time of a pair in each mode; for our pool, which does nothing for tarn watch in a pair, its share of the time alone.
    /// </summary>
    private IEnumerable<Figure> FiguresOf(RoundSamples samples, string pool, string name) =>
        s_modes.Where(mode => mode.Id != Alone && IsFor(mode.Id, name)).Select(mode => new Figure
        {
            Id = $"{Id}-{mode.Id}-{pool}",
            Title = $"A pair of {name}, {mode.Title}" + (IsShare(mode.Id, name) ? ", ÷ not watched" : ""),
            Value = IsShare(mode.Id, name)
                ? samples.Ratio(samples.IndexOf(TitleOf(Events)), samples.IndexOf(TitleOf(Alone))).Median
                : samples.Median(samples.IndexOf(mode.Title)),
            Unit = IsShare(mode.Id, name) ? "" : "ns",
        });

    private static bool IsShare(string mode, string pool) => mode == Events && pool == PoolNames.TarnShared;

    private static string TitleOf(string id) => s_modes.Single(mode => mode.Id == id).Title;

    /// <summary>Only Tarn's pools are sampled.</summary>
    private static bool IsFor(string mode, string pool) => mode != Sampled || pool == PoolNames.TarnShared;

    private Section Describe(RoundSamples ours, RoundSamples theirs) => new()
    {
        Id = Id,
        Title = Title,
        Text = "One thread does nothing but rent and return 1 KiB, as fast as it can, while the process is watched in one way after the "
            + "other, in random order. This is the worst case: a program that does something with its buffers pays the same nanoseconds "
            + "for a pair, and so a smaller share. Sampling exists for Tarn's pools only. The sessions are those of the tool; what the "
            + "tool does with the events happens in another process.",
        Tables =
        [
            new Table
            {
                Id = "watched-times",
                Title = "One rent and return, medians",
                Columns =
                [
                    new Column("Watched by", ColumnKind.Text), new Column(PoolNames.TarnShared, ColumnKind.Nanoseconds),
                    new Column(PoolNames.BclShared, ColumnKind.Nanoseconds),
                ],
                Rows =
                [
                    .. s_modes.Index().Select(mode => (IReadOnlyList<object?>)
                    [
                        mode.Item.Title, ours.Median(mode.Index),
                        IsFor(mode.Item.Id, PoolNames.BclShared) ? theirs.Median(mode.Index) : null,
                    ]),
                ],
            },
        ],
    };

    /// <summary>The mode of a program that nothing watches.</summary>
    private sealed class Unwatched : IDisposable
    {
        public static Unwatched Instance { get; } = new();

        public void Dispose()
        {
        }
    }
}
