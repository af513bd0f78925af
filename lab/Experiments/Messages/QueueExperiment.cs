using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages of many writers to many readers through a queue, beside a ring with one of each, and a channel.</summary>
internal sealed class QueueExperiment : IExperiment
{
    private const string Group = "Messages of many writers";

    /// <summary>The project's target is ten million messages of this size a second from two writers.</summary>
    private const int TargetSize = 64;
    private const double TargetNanoseconds = 1e9 / 10e6;
    private const int TargetSides = 1;

    /// <summary>The bytes that a queue holds at most, and the messages.</summary>
    private const int MostBytes = 1 << 20;
    private const int MostMessages = 1024;

    public static readonly IReadOnlyList<int> Sizes = [16, TargetSize, 1 << 10, MessageContents.LongestMessage];

    public static readonly IReadOnlyList<(int Writers, int Readers)> Sides = [(1, 1), (2, 1), (1, 2), (2, 2), (4, 4)];

    private static readonly string[] s_contenders = [MessageNames.Queue, MessageNames.QueueInPlace, MessageNames.Channel];

    public string Id => "queue";

    public string Title => "Messages of many writers to many readers";

    public double QuickSeconds => 12;

    public double FullSeconds => 60;

    public ExperimentResult Run(ExperimentContext context)
    {
        List<IReadOnlyList<RoundSamples>> measured = [];
        foreach ((int writers, int readers) in Sides)
        {
            measured.Add([.. Sizes.Select(size => Measure(context, writers, readers, size))]);
            context.Report((double)measured.Count / Sides.Count);
        }

        return ToResult(measured);
    }

    /// <param name="measured">Nanoseconds for a message, by <see cref="Sides"/> and then by size.</param>
    internal ExperimentResult ToResult(IReadOnlyList<IReadOnlyList<RoundSamples>> measured) => new(Describe(measured))
    {
        Comparisons =
        [
            .. Sides.Zip(measured).SelectMany(at => Sizes.Zip(at.Second).SelectMany(one => one.Second.CompareWith(
                MessageNames.Queue,
                [MessageNames.Channel],
                $"{Id}-{at.First.Writers}-{at.First.Readers}-{ByteSize.Id(one.First)}",
                Group,
                $"{ByteSize.Text(one.First)}, {Text(at.First)}, time for a message",
                _ => null))),
        ],
        Figures =
        [
            .. Sizes.Zip(measured[TargetSides]).Where(static at => at.First == TargetSize).Select(at => new Figure
            {
                Id = $"{Id}-two-writers",
                Title = $"Time for a message of {ByteSize.Text(TargetSize)} of two writers to one reader",
                Value = at.Second.Median(at.Second.IndexOf(MessageNames.Queue)),
                Unit = "ns",
                Bound = TargetNanoseconds,
            }),
        ],
    };

    private static string Text((int Writers, int Readers) sides) => $"{sides.Writers} to {sides.Readers}";

    private static RoundSamples Measure(ExperimentContext context, int writers, int readers, int size)
    {
        int messages = Math.Clamp(MostBytes / size, 1, MostMessages);
        string[] names = writers + readers == 2 ? [.. s_contenders, MessageNames.Ring] : s_contenders;
        using Crew crew = new(writers + readers, isPinned: false);
        QueueEnd[][] ends = [.. names.Select(name => QueueEnd.Create(name, crew.Size, messages, size))];
        try
        {
            Trial[] trials = [.. names.Zip(ends, (name, some) => new QueueTrial(name, crew, writers, some, size))];
            WarmUp.Run(trials);
            return PairedRounds.Measure(trials, context.Rounds, context.CreateRandom());
        }
        finally
        {
            Array.ForEach([.. ends.SelectMany(static some => some)], static end => end.Dispose());
        }
    }

    private Section Describe(IReadOnlyList<IReadOnlyList<RoundSamples>> measured) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Threads of one process send messages to other threads of it, each with its own object of the queue, as processes have. "
            + "Senders write all bytes of a message, and receivers read and verify all of them; the sum of all numbers shows that each "
            + "came once. SharedQueue copies the message in and out; in place, the program writes and reads it in the queue. A channel "
            + "passes references between threads of one process: each message is an array of its own. A ring has one writer and one "
            + "reader. Threads that do not fit on the processors take turns, which is part of the time. Time for a message is the mean "
            + "over many, from before the first is written until the last is verified.",
        Tables =
        [
            .. Sides.Zip(measured, (sides, samples) => new Table
            {
                Id = $"queue-times-{sides.Writers}-{sides.Readers}",
                Title = $"Time for a message, {sides.Writers} writers and {sides.Readers} readers",
                Columns =
                [
                    new Column("Size", ColumnKind.Bytes),
                    .. samples[0].Contenders.Select(static name => new Column(name, ColumnKind.Nanoseconds)),
                ],
                Rows =
                [
                    .. Sizes.Zip(samples, static (size, some) => (IReadOnlyList<object?>)[
                        (double)size, .. some.Contenders.Select((_, contender) => (object?)some.Median(contender))]),
                ],
            }),
        ],
    };
}
