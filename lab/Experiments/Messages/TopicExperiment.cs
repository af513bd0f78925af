using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages of one writer to each of several readers through a topic, beside a ring and a channel for each reader.</summary>
internal sealed class TopicExperiment : IExperiment
{
    private const string Group = "Messages to many readers";

    /// <summary>The project's target is eight million messages of this size a second to each of two readers.</summary>
    private const int TargetSize = 64;
    private const double TargetNanoseconds = 1e9 / 8e6;
    private const int TargetReaders = 2;

    /// <summary>The bytes that are on the way at most, and the messages.</summary>
    private const int MostBytes = 1 << 20;
    private const int MostMessages = 1024;

    public static readonly IReadOnlyList<int> Sizes = [16, TargetSize, 1 << 10, MessageContents.LongestMessage];

    public static readonly IReadOnlyList<int> Readers = [1, TargetReaders, 4];

    private static readonly string[] s_contenders =
        [MessageNames.Topic, MessageNames.TopicInPlace, MessageNames.Ring, MessageNames.Channel];

    public string Id => "topic";

    public string Title => "Messages of one writer to each of many readers";

    public double QuickSeconds => 8;

    public double FullSeconds => 40;

    public ExperimentResult Run(ExperimentContext context)
    {
        List<IReadOnlyList<RoundSamples>> measured = [];
        foreach (int readers in Readers)
        {
            measured.Add([.. Sizes.Select(size => Measure(context, readers, size))]);
            context.Report((double)measured.Count / Readers.Count);
        }

        return ToResult(measured);
    }

    /// <param name="measured">Nanoseconds for a message, by <see cref="Readers"/> and then by size.</param>
    internal ExperimentResult ToResult(IReadOnlyList<IReadOnlyList<RoundSamples>> measured) => new(Describe(measured))
    {
        Comparisons =
        [
            .. Readers.Zip(measured).SelectMany(at => Sizes.Zip(at.Second).SelectMany(one => one.Second.CompareWith(
                MessageNames.Topic,
                [MessageNames.Channel],
                $"{Id}-{at.First}-{ByteSize.Id(one.First)}",
                Group,
                $"{ByteSize.Text(one.First)}, {at.First} readers, time for a message",
                _ => null))),
        ],
        Figures =
        [
            .. Readers.Zip(measured).Where(static at => at.First == TargetReaders).SelectMany(static at => Sizes.Zip(at.Second))
                .Where(static one => one.First == TargetSize).Select(one => new Figure
                {
                    Id = $"{Id}-two-readers",
                    Title = $"Time for a message of {ByteSize.Text(TargetSize)} to each of two readers",
                    Value = one.Second.Median(one.Second.IndexOf(MessageNames.Topic)),
                    Unit = "ns",
                    Bound = TargetNanoseconds,
                }),
        ],
    };

    private static RoundSamples Measure(ExperimentContext context, int readers, int size)
    {
        int messages = Math.Clamp(MostBytes / size, 1, MostMessages);
        using Crew crew = new(1 + readers, isPinned: false);
        TopicEnd[][] ends = [.. s_contenders.Select(name => TopicEnd.Create(name, readers, messages, size))];
        try
        {
            Trial[] trials = [.. s_contenders.Zip(ends, (name, some) => new TopicTrial(name, crew, some, size))];
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
        Text = "A thread sends messages to each of several others of its process, each with its own object of the topic, as processes "
            + "have. Every reader verifies all bytes of every message, and that none is missing: in a SharedTopic, all hold the writer "
            + "back. SharedTopic copies the message in and out; in place, the program writes and reads it in the topic. Beside it, the "
            + "writer copies each message into a SharedRing for each reader, or passes the same array to a channel for each. Threads that "
            + "do not fit on the processors take turns, which is part of the time. Time for a message is the mean over many, from before "
            + "the first is written until the last reader has verified the last.",
        Tables =
        [
            .. Readers.Zip(measured, static (readers, samples) => new Table
            {
                Id = $"topic-times-{readers}",
                Title = readers == 1 ? "Time for a message, 1 reader" : $"Time for a message, {readers} readers",
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
