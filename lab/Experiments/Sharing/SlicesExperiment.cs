using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Sharing;

namespace Tarn.Lab.Experiments.Sharing;

/// <summary>The cost of one holder of a counted buffer: on the thread that rented it, and where other threads take part.</summary>
internal sealed class SlicesExperiment : IExperiment
{
    private const string Group = "Counted buffers";
    private const double PairBound = 10;
    private const int Receivers = 10_000;
    private const int AllocationIterations = 10_000;
    private const string Own = "slice, own thread";
    private const string Passed = "slice, after another thread's";
    private const string Counter = "atomic count";

    public string Id => "slices";

    public string Title => "Counted buffers: what a holder costs";

    public double QuickSeconds => 2;

    public double FullSeconds => 8;

    public ExperimentResult Run(ExperimentContext context)
    {
        using CountedBuffer<byte> own = CountedBuffer<byte>.Rent(1 << 10);
        using CountedBuffer<byte> passed = RentOnAnotherThread();
        passed.Slice().Dispose();
        Trial[] pairs =
        [
            new LoopTrial<SlicePair>(Own, new(own)),
            new LoopTrial<SlicePair>(Passed, new(passed)),
            new LoopTrial<CounterPair>(Counter, new(new CounterPair.Counter())),
        ];
        WarmUp.Run(pairs);
        RoundSamples times = PairedRounds.Measure(pairs, context.Rounds, context.CreateRandom());
        context.Report(0.6);

        Trial broadcast = new LoopTrial<Broadcast>("broadcast", new(new CountedSlice<byte>[Receivers]), Receivers);
        WarmUp.Run([broadcast]);
        RoundSamples sent = PairedRounds.Measure([broadcast], context.Rounds, context.CreateRandom());
        Figure[] figures =
        [
            Time("slices-pair", "A slice taken and disposed on the thread that rented the buffer", times.Median(0), PairBound),
            Time("slices-pair-passed", "The same, once another thread disposed a slice of the buffer", times.Median(1)),
            Time("slices-counter", "An atomic increment and decrement", times.Median(2)),
            Time("slices-broadcast", $"One of {Receivers:N0} slices of a message, with its share of the buffer", sent.Median(0)),
            Bytes("slices-allocated", "Allocated for a slice", Allocation.BytesPerOperation(pairs[0], AllocationIterations)),
            Bytes("slices-broadcast-allocated", $"Allocated for one of {Receivers:N0} slices", Allocation.BytesPerOperation(broadcast, 10)),
        ];
        return new ExperimentResult(Describe(figures))
        {
            Comparisons = [times.Compare(0, 2, "slices-counter-ratio", Group, "A slice, against an atomic count without holders")],
            Figures = figures,
        };
    }

    private static CountedBuffer<byte> RentOnAnotherThread()
    {
        CountedBuffer<byte> rented = default;
        using Crew crew = new(1);
        crew.Run(_ => rented = CountedBuffer<byte>.Rent(1 << 10));
        return rented;
    }

    private static Figure Time(string id, string title, double value, double? bound = null) =>
        new() { Id = id, Title = title, Value = value, Unit = "ns", Bound = bound };

    private static Figure Bytes(string id, string title, double value) =>
        new() { Id = id, Title = title, Value = value, Unit = "B", Bound = 0 };

    private Section Describe(IReadOnlyList<Figure> figures) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A slice of a counted buffer knows whether it was disposed, which a plain count of references does not. Each operation "
            + "takes a slice and disposes it. On the thread that rented the buffer, no atomic operation is needed until another thread "
            + "takes or disposes a slice; from then on it is two. Beside it stands the least that a count without holders needs: an atomic "
            + "increment and decrement. The broadcast is one message to 10,000 receivers.",
        Tables =
        [
            new Table
            {
                Id = "slices-times",
                Title = "Times and bytes",
                Columns =
                [
                    new Column("Operation", ColumnKind.Text), new Column("Value", ColumnKind.Number), new Column("Unit", ColumnKind.Text),
                ],
                Rows = [.. figures.Select(static figure => (IReadOnlyList<object?>)[figure.Title, figure.Value, figure.Unit])],
            },
        ],
    };
}
