using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Writers;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Writers;

namespace Tarn.Lab.Experiments.Writers;

/// <summary>Messages written through buffer writers, in pieces and as JSON.</summary>
internal sealed class WritersExperiment : IExperiment
{
    private const string Group = "Writers";
    private const double Target = 0.8;
    private const int AllocationIterations = 2_000;
    private const int AllocationSize = 4 << 10;

    private static readonly int[] s_sizes = [256, 4 << 10, 64 << 10, 1 << 20];
    private static readonly int[] s_pieces = [1, 16, 4 << 10];
    private static readonly string[] s_peers =
        [WriterNames.Bcl, WriterNames.Toolkit, WriterNames.Nerdbank, WriterNames.DotNext, WriterNames.Recyclable];

    public string Id => "writers";

    public string Title => "Messages written through buffer writers";

    public double QuickSeconds => 30;

    public double FullSeconds => 180;

    public ExperimentResult Run(ExperimentContext context)
    {
        int parts = s_pieces.Length + 1;
        List<(string Id, string Title, Sweep Sweep)> sweeps = [];
        foreach (int piece in s_pieces)
        {
            int[] sizes = [.. s_sizes.Where(size => size >= piece)];
            sweeps.Add((
                "writers-" + ByteSize.Id(piece),
                "pieces of " + ByteSize.Text(piece),
                Sweep.Run(context.Part(sweeps.Count + 1, parts), sizes, size => CreatePieces(size, piece))));
        }

        sweeps.Add(("writers-json", "Utf8JsonWriter", Sweep.Run(context.Part(parts, parts), s_sizes, CreateJson)));
        IReadOnlyList<Figure> allocated =
        [
            .. CreatePieces(AllocationSize, 16).Select(trial => new Figure
            {
                Id = "writers-allocated-" + trial.Name.ToLowerInvariant().Replace(", ", "-", StringComparison.Ordinal),
                Title = trial.Name,
                Value = Allocation.BytesPerOperation(trial, AllocationIterations),
                Unit = "B",
                Bound = trial.Name is WriterNames.Tarn or WriterNames.TarnNative or WriterNames.TarnSequence ? 0 : null,
            }),
        ];

        return new ExperimentResult(Describe(context, sweeps, allocated))
        {
            Comparisons =
            [
                .. sweeps.SelectMany(one => s_peers.SelectMany(peer => one.Sweep.CompareWith(
                    peer,
                    one.Id,
                    Group,
                    size => $"{ByteSize.Text(size)}, {one.Title}",
                    _ => Target))),
            ],
            Figures = allocated,
        };
    }

    private static IReadOnlyList<Trial> CreatePieces(int size, int piece) =>
    [
        new LoopTrial<PiecesWritten<TarnWriter>>(WriterNames.Tarn, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<TarnNativeWriter>>(WriterNames.TarnNative, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<TarnSequenceWriter>>(WriterNames.TarnSequence, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<BclWriter>>(WriterNames.Bcl, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<ToolkitWriter>>(WriterNames.Toolkit, new(default, size, piece)),
        new LoopTrial<PiecesWritten<NerdbankWriter>>(WriterNames.Nerdbank, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<DotNextWriter>>(WriterNames.DotNext, new(new(), size, piece)),
        new LoopTrial<PiecesWritten<RecyclableWriter>>(WriterNames.Recyclable, new(default, size, piece)),
    ];

    private static IReadOnlyList<Trial> CreateJson(int size) =>
    [
        new LoopTrial<JsonWritten<TarnWriter>>(WriterNames.Tarn, new(new(), size)),
        new LoopTrial<JsonWritten<TarnNativeWriter>>(WriterNames.TarnNative, new(new(), size)),
        new LoopTrial<JsonWritten<TarnSequenceWriter>>(WriterNames.TarnSequence, new(new(), size)),
        new LoopTrial<JsonWritten<BclWriter>>(WriterNames.Bcl, new(new(), size)),
        new LoopTrial<JsonWritten<ToolkitWriter>>(WriterNames.Toolkit, new(default, size)),
        new LoopTrial<JsonWritten<NerdbankWriter>>(WriterNames.Nerdbank, new(new(), size)),
        new LoopTrial<JsonWritten<DotNextWriter>>(WriterNames.DotNext, new(new(), size)),
        new LoopTrial<JsonWritten<RecyclableWriter>>(WriterNames.Recyclable, new(default, size)),
    ];

    private Section Describe(
        ExperimentContext context, IReadOnlyList<(string Id, string Title, Sweep Sweep)> sweeps, IReadOnlyList<Figure> allocated) => new()
        {
            Id = Id,
            Title = Title,
            Text = "A writer receives a message, and the next one after it, in the fastest way that each has: through its Write, or "
                + "through GetSpan and Advance, called on its own type. PooledWriter, SequenceBuilder, ArrayBufferWriter, Sequence "
                + "and SparseBufferWriter are used again, which is the fastest way with each. ArrayPoolBufferWriter zeroes its contents "
                + "when it is cleared, so there is a new one for each message, as there is a new RecyclableMemoryStream.",
            Charts =
            [
                .. sweeps.Select(one => one.Sweep.TimeAgainstSize(
                    context, one.Id + "-time", "Messages, " + one.Title, "Nanoseconds for one message against its size.")),
            ],
            Tables =
            [
                .. sweeps.Select(one => one.Sweep.Times(
                    one.Id + "-times", "Messages, " + one.Title, "", new Column("Size", ColumnKind.Bytes))),
                new Table
                {
                    Id = "writers-allocated",
                    Title = "Bytes allocated by one message of 4 KiB in pieces of 16 B",
                    Columns = [new Column("Writer", ColumnKind.Text), new Column("Allocated", ColumnKind.Bytes)],
                    Rows = [.. allocated.Select(figure => (IReadOnlyList<object?>)[figure.Title, figure.Value])],
                },
            ],
        };
}
