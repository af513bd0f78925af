using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>The gain of a program that replaces its stream with ours: JSON, compression, sockets, pipes.</summary>
internal sealed class StreamUsersExperiment : IExperiment
{
    private const string Group = "Streams in use";
    private const int WarmUpPasses = 3;
    private const int OperationsCounted = 20;

    public string Id => "stream-users";

    public string Title => "Streams in use: JSON, compression, sockets";

    public double QuickSeconds => 9;

    public double FullSeconds => 60;

    public ExperimentResult Run(ExperimentContext context)
    {
        using var trials = new StreamUsersTrials();
        List<Row> rows = [.. trials.All.Select(work => CreateRow(work.Id, work.Title, work.Work))];
        WarmUp.Run([.. rows.SelectMany(row => row.Trials)], WarmUpPasses);
        Random random = context.CreateRandom();
        RoundSettings rounds = context.IsFull ? new(101, TimeSpan.FromMilliseconds(10)) : new(9, TimeSpan.FromMilliseconds(3));
        for (int index = 0; index < rows.Count; index++)
        {
            rows[index] = Measure(rows[index], rounds, random);
            context.Report((index + 1.0) / rows.Count);
        }

        StreamPeers.Release();
        return new ExperimentResult(Describe(rows))
        {
            Comparisons =
            [
                .. rows.SelectMany(row =>
                    row.Samples!.CompareWith(StreamNames.Tarn, StreamPeers.Names, $"stream-users-{row.Id}", Group, row.Title, _ => null)),
            ],
        };
    }

    private static Row CreateRow(string id, string title, IStreamVisitor<Trial> work) =>
        new(id, title, [.. StreamContenders.Create().Select(contender => contender.Accept(work))]);

    private static Row Measure(Row row, RoundSettings rounds, Random random) => row with
    {
        Samples = PairedRounds.Measure(row.Trials, rounds, random),
        Allocated = [.. row.Trials.Select(trial => Allocation.BytesPerOperation(trial, OperationsCounted))],
    };

    private Section Describe(IReadOnlyList<Row> rows) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Work that goes through a stream, with the streams by turns: objects serialized to JSON and read back, JSON written "
            + "straight into those streams that are buffer writers, JSON compressed at the fastest level into one stream and decompressed "
            + "into another, and a message written in pieces of 4 KiB and copied to a socket or a pipe of this machine, whose other end "
            + "reads all of it before the next one. No stream knows its size beforehand. Most of the time is not spent in the stream: the "
            + "ratio shows what a program gains that changes only the stream."
            + StreamPeers.DescribeMissing(),
        Tables =
        [
            ToTable(rows, "stream-users-times", "Time", ColumnKind.Nanoseconds, (row, contender) => row.Samples!.Median(contender)),
            ToTable(rows, "stream-users-allocated", "Allocated bytes", ColumnKind.Bytes, (row, contender) => row.Allocated![contender]),
        ],
    };

    private static Table ToTable(IReadOnlyList<Row> rows, string id, string title, ColumnKind kind, Func<Row, int, double> value) => new()
    {
        Id = id,
        Title = title,
        Columns = [new Column("Work", ColumnKind.Text), .. StreamContenders.Names.Select(name => new Column(name, kind))],
        Rows =
        [
            .. rows.Select(row =>
                (IReadOnlyList<object?>)[row.Title, .. StreamContenders.Names.Select((_, contender) => (object?)value(row, contender))]),
        ],
    };

    private sealed record Row(string Id, string Title, IReadOnlyList<Trial> Trials)
    {
        public RoundSamples? Samples { get; init; }

        /// <summary>Bytes for one operation, all threads together.</summary>
        public IReadOnlyList<double>? Allocated { get; init; }
    }
}
