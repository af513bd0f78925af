using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Bytes that one stream allocates, and the collections of many, when the pools are warm.</summary>
internal sealed class StreamAllocations(IReadOnlyList<StreamAllocation> rows)
{
    private const int Piece = 4 << 10;
    private const int LargeSize = 200 << 20;
    private const int CountedSize = 16 << 10;
    private const int StreamsCounted = 1_000;
    private const double SmallBound = 136;
    private const double LargeBound = 8 << 10;
    private static readonly int[] s_smallSizes = [256, 1 << 10, 4 << 10, 16 << 10];

    /// <summary>Measures. A quick run measures the largest size only for our stream, because the others allocate gigabytes.</summary>
    public static StreamAllocations Measure(ExperimentContext context)
    {
        var buffers = new StreamBuffers();
        IReadOnlyList<StreamContender> contenders = StreamContenders.Create();
        var found = new List<StreamAllocation>();
        foreach (StreamContender contender in contenders)
        {
            bool withLarge = context.IsFull || contender.Name == StreamNames.Tarn;
            found.AddRange(s_smallSizes.Select(size => MeasureOne(contender, size, StreamsCounted, buffers)));
            if (withLarge)
            {
                found.Add(MeasureOne(contender, LargeSize, StreamRound.Loops, buffers));
            }

            context.Report((double)found.Count / (contenders.Count * (s_smallSizes.Length + 1)));
        }

        return new StreamAllocations(found);
    }

    public IReadOnlyList<Figure> ToFigures()
    {
        StreamAllocation[] ours = [.. rows.Where(row => row.Stream == StreamNames.Tarn)];
        return
        [
            .. ours.Select(row => new Figure
            {
                Id = $"streams-allocated-{ByteSize.Id(row.Size)}",
                Title = $"Allocated for one stream of {ByteSize.Text(row.Size)}, no capacity given",
                Value = row.Bytes,
                Unit = "B",
                Bound = row.Size == LargeSize ? LargeBound : SmallBound,
            }),
            .. ours.Where(
                row => row.Size is CountedSize or LargeSize).SelectMany(row => row.Collections.Index().Select(generation => new Figure
            {
                Id = $"streams-collections-{ByteSize.Id(row.Size)}-gen{generation.Index}",
                Title = $"Collections of generation {generation.Index} during {row.Streams:N0} streams of {ByteSize.Text(row.Size)}",
                Value = generation.Item,
                Unit = "collections",
                Bound = 0,
            })),
        ];
    }

    public Table ToTable() => new()
    {
        Id = "streams-allocated",
        Title = "Allocated bytes and collections",
        Note = "No capacity given, writes of 4 KiB, pools warm. Bytes are for one stream, collections are those that all these streams "
            + "caused.",
        Columns =
        [
            new Column("Size", ColumnKind.Bytes),
            new Column("Stream", ColumnKind.Text),
            new Column("Allocated", ColumnKind.Bytes),
            new Column("Streams", ColumnKind.Number),
            new Column("Gen0", ColumnKind.Number),
            new Column("Gen1", ColumnKind.Number),
            new Column("Gen2", ColumnKind.Number),
        ],
        Rows = [.. rows.OrderBy(row => row.Size).Select(ToCells)],
    };

    private static IReadOnlyList<object?> ToCells(StreamAllocation row) =>
        [(double)row.Size, row.Stream, row.Bytes, (double)row.Streams, .. row.Collections.Select(count => (object?)(double)count)];

    private static StreamAllocation MeasureOne(StreamContender contender, int size, int streams, StreamBuffers buffers)
    {
        Trial trial = StreamTrials.Streams(contender, new StreamShape(size, Piece), buffers);
        int rounds = streams / StreamRound.Loops;

        // Do a pending collection first, so that only collections caused by these streams count.
        GC.Collect();
        trial.Run(rounds);
        Allocation found = Allocation.During(() => trial.Run(rounds));
        double bytes = size == LargeSize ? (double)found.Bytes / streams : Allocation.BytesPerOperation(trial, rounds);
        return new StreamAllocation(contender.Name, size, streams, bytes, [found.Gen0, found.Gen1, found.Gen2]);
    }
}
