using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.SharedMemory;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The pictures and tables of the messages.</summary>
internal sealed class RingSection(RingMeasurements measured)
{
    private const double NanosecondsPerSecond = 1e9;

    private readonly RoundSamples[] _medians = [.. measured.Answered.Select(rounds => rounds.Medians)];
    private readonly RoundSamples[] _late = [.. measured.Answered.Select(rounds => rounds.Late)];

    public Section Create(string id, string title) => new()
    {
        Id = id,
        Title = title,
        Text = "Another process sends messages and this one receives them, each on a processor of its own. Senders write all bytes of a "
            + "message, and receivers read all of them. Number, length and contents are verified, and a run with a missing message or one "
            + "out of order fails. SharedRing copies the message in and out; in place, the program writes and reads it in the ring. Pipe "
            + "and sockets carry the length before the message: the program writes the message after it in the sent buffer, each message "
            + "is one call, and receivers take as much as there is with one call, up to 256 KiB or a message, and read messages in place. "
            + "A ring and a pipe hold 1 MiB, and sockets are asked to; a ring for messages of 4 MiB holds four. All block, and TCP sends "
            + "at once (NoDelay). Time for a message is the mean over many, from before the first is written until the last is verified. "
            + "Latency is half of a round trip. Contenders take turns of milliseconds between the same two processes.",
        Charts = Charts(),
        Tables =
        [
            BySize(
                "ring-rates",
                "Messages a second",
                "Both processes busy.",
                ColumnKind.Number,
                measured.Sizes,
                measured.Sent,
                time => Math.Round(Rate(time))),
            BySize(
                "ring-times",
                "Time for a message",
                "The same, as time.",
                ColumnKind.Nanoseconds,
                measured.Sizes,
                measured.Sent,
                time => time),
            Switches(),
            BySize(
                "ring-latency-median", "Latency, median",
                "Half of a round trip, from before the bytes are written until they are read.",
                ColumnKind.Nanoseconds, measured.Sizes, _medians, OneWay),
            BySize(
                "ring-latency-late", "Latency, 99th percentile", "The same: the time that one in a hundred exceeds.",
                ColumnKind.Nanoseconds, measured.Sizes, _late, OneWay),
            OnOneProcessor(),
            BySize(
                "ring-one-thread", "Written and read on one thread",
                "One message, then the next; nothing passes between processors and nothing is verified. In place, one byte is written and "
                    + "one read.",
                ColumnKind.Nanoseconds, RingMeasurements.OneThreadSizes, measured.OneThread, time => time),
            PublishedFigures(),
        ],
    };

    private Chart[] Charts() =>
    [
        Against(
            "ring-rate",
            "Messages a second",
            "Messages a second against their size, both processes busy.",
            new Axis("Messages", "op/s", Logarithmic: true),
            measured.Sent, Rate, []),
        Against(
            "ring-latency",
            "Latency, median",
            "Half of the median time there and back against the size.",
            new Axis("Latency", "ns", Logarithmic: true),
            _medians, OneWay, PublishedMessages.OneWay.ToSeries([.. measured.Sizes.Select(size => (long)size)])),
        Against(
            "ring-latency-99", "Latency, 99th percentile", "Half of the 99th percentile of the times there and back against the size.",
            new Axis("Latency", "ns", Logarithmic: true), _late, OneWay, []),
    ];

    private static double Rate(double nanoseconds) => NanosecondsPerSecond / nanoseconds;

    private static double OneWay(double thereAndBack) => thereAndBack / 2;

    private Chart Against(
        string id,
        string title,
        string description,
        Axis y,
        IReadOnlyList<RoundSamples> samples,
        Func<double, double> value,
        IReadOnlyList<Series> published) => new()
        {
            Id = id,
            Title = title,
            Description = description,
            Kind = ChartKind.Lines,
            X = new Axis("Size", "B", Logarithmic: true),
            Y = y,
            Series =
        [
            .. samples[0].Contenders.Select((name, contender) => new Series(
                name,
                PoolNames.RoleOf(name),
                [.. measured.Sizes.Zip(samples, (size, some) => new Point(size, value(some.Median(contender))))])),
            .. published,
        ],
        };

    private static Table BySize(
        string id,
        string title,
        string note,
        ColumnKind kind,
        IReadOnlyList<int> sizes,
        IReadOnlyList<RoundSamples> samples,
        Func<double, double> value) => new()
        {
            Id = id,
            Title = title,
            Note = note,
            Columns = [new Column("Size", ColumnKind.Bytes), .. samples[0].Contenders.Select(name => new Column(name, kind))],
            Rows =
        [
            .. sizes.Zip(samples, (size, some) =>
                (IReadOnlyList<object?>)[(double)size, .. some.Contenders.Select((_, contender) =>
                    (object?)value(some.Median(contender)))]),
        ],
        };

    private Table Switches() => new()
    {
        Id = "ring-switches",
        Title = "Sleeps for a million messages",
        Note = "How often the two threads together gave up their processors to wait while messages were sent (voluntary context switches; "
            + "only Linux reports them). A ring calls the system only to sleep and to wake a sleeper: at most two calls for each of these. "
            + "The others also make at least one call for each message.",
        Columns =
        [
            new Column("Size", ColumnKind.Bytes),
            .. measured.Sent[0].Contenders.Select(name => new Column(name, ColumnKind.Number)),
        ],
        Rows =
        [
            .. measured.Sizes.Zip(
                measured.Switches, (size, switches) => (IReadOnlyList<object?>)[(double)size, .. switches.Select(some => (object?)some)]),
        ],
    };

    private Table OnOneProcessor() => new()
    {
        Id = "ring-one-processor-latency",
        Title = "Latency on one processor",
        Note = $"Messages of {ByteSize.Text(RingMeasurements.FewSize)}: half of a round trip while both processes share a processor, so "
            + "that one must sleep before the other can run.",
        Columns =
        [
            new Column("Contender", ColumnKind.Text),
            new Column("Median", ColumnKind.Nanoseconds),
            new Column("99th percentile", ColumnKind.Nanoseconds),
        ],
        Rows =
        [
            .. measured.OneProcessor.Medians.Contenders.Select((name, contender) => (IReadOnlyList<object?>)
            [
                name,
                OneWay(measured.OneProcessor.Medians.Median(contender)),
                OneWay(measured.OneProcessor.Late.Median(contender)),
            ]),
        ],
    };

    /// <summary>Published figures, beside the most similar ones of ours.</summary>
    private Table PublishedFigures() => new()
    {
        Id = "ring-published",
        Title = "Published figures",
        Note = $"{PublishedMessages.OneWay.Source}. {PublishedMessages.OneThread.Source}. ipc-bench sends each message back and forth and "
            + "reports messages a second: here half of that time; its sides of shared memory spin on one flag and never sleep. iceoryx2 "
            + $"passes the location of the bytes and touches none. interprocess writes and reads {PublishedMessages.InterprocessSize} "
            + $"bytes; ours are {RingMeasurements.OneThreadSizes[0]}.",
        Columns =
        [
            new Column("Published by", ColumnKind.Text),
            new Column("What", ColumnKind.Text),
            new Column("Size", ColumnKind.Bytes),
            new Column("Published", ColumnKind.Nanoseconds),
            new Column("Here", ColumnKind.Nanoseconds),
            new Column("Measured here", ColumnKind.Text),
        ],
        Rows =
        [
            .. measured.Sizes.Zip(_medians).SelectMany(
                at => PublishedMessages.OneWay.Figures.Where(figure => figure.FromSize == at.First || figure.ToSize == at.First)
                    .Select(
                        figure => Row(
                            figure,
                            "one way",
                            at.First,
                            Counterpart(figure.Method),
                            OneWay(MedianOf(at.Second, Counterpart(figure.Method)))))),
            .. PublishedMessages.OneThread.Figures.Select(figure => Row(
                figure, "written and read", figure.FromSize, MessageNames.Ring, MedianOf(measured.OneThread[0], MessageNames.Ring))),
        ],
    };

    private static IReadOnlyList<object?> Row(PublishedFigure figure, string what, long size, string ours, double here) =>
        [figure.Method, what, (double)size, figure.Middle, here, ours];

    private static double MedianOf(RoundSamples samples, string contender) => samples.Median(samples.IndexOf(contender));

    private static string Counterpart(string method) => method switch
    {
        PublishedMessages.Pipe => MessageNames.Pipe,
        PublishedMessages.UnixSocket => MessageNames.UnixSocket,
        PublishedMessages.Tcp => MessageNames.Tcp,
        _ => MessageNames.Ring,
    };
}
