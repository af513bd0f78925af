using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Budgets;

namespace Tarn.Lab.Experiments.Budgets;

/// <summary>The cost of a budget: a grant that need not wait, and many requests that must.</summary>
internal sealed class BudgetsExperiment : IExperiment
{
    private const string Group = "Budgets";
    private const double GrantBound = 25;
    private const int Waiters = 10_000;
    private const int AllocationIterations = 10_000;

    public string Id => "budgets";

    public string Title => "Budgets: what a grant costs";

    public double QuickSeconds => 2;

    public double FullSeconds => 8;

    public ExperimentResult Run(ExperimentContext context)
    {
        BufferBudget child = new BufferBudget(1 << 30).CreateChild(1 << 20);
        using SemaphoreSlim semaphore = new(1);
        Trial[] trials =
        [
            new LoopTrial<Grant>("grant and return", new(child)),
            new LoopTrial<GrantAwaited>("awaited grant and return", new(child)),
            new LoopTrial<SemaphoreGrant>("SemaphoreSlim", new(semaphore)),
        ];
        WarmUp.Run(trials);
        RoundSamples times = PairedRounds.Measure(trials, context.Rounds, context.CreateRandom());
        context.Report(0.7);
        Random random = context.CreateRandom();
        WaitersInOrder[] waits = [.. Enumerable.Range(0, 5).Select(_ => WaitersInOrder.Measure(Waiters, random))];
        Figure[] figures =
        [
            Of("budgets-grant", "A grant of a child and its return", times.Median(0), "ns", GrantBound),
            Of("budgets-grant-awaited", "The same by TakeAsync", times.Median(1), "ns", GrantBound),
            Of("budgets-semaphore", "A permit of SemaphoreSlim and its return", times.Median(2), "ns"),
            Of(
                "budgets-waiter", $"One of {Waiters:N0} requests that wait, served in turn",
                MedianInterval.Of([.. waits.Select(static wait => wait.NanosecondsPerRequest)]).Median, "ns"),
            Of(
                "budgets-out-of-order", $"Requests of {Waiters:N0} not served in turn",
                waits.Sum(static wait => wait.OutOfOrder), "requests", 0),
            Of("budgets-allocated", "Allocated for a grant", Allocation.BytesPerOperation(trials[1], AllocationIterations), "B", 0),
        ];
        return new ExperimentResult(Describe(figures))
        {
            Comparisons = [times.Compare(0, 2, "budgets-semaphore-ratio", Group, "A grant, against a permit of SemaphoreSlim")],
            Figures = figures,
        };
    }

    private static Figure Of(string id, string title, double value, string unit, double? bound = null) =>
        new() { Id = id, Title = title, Value = value, Unit = unit, Bound = bound };

    private Section Describe(IReadOnlyList<Figure> figures) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Each grant takes 4 KiB from a child of another budget and returns them, on one thread. SemaphoreSlim stands beside it: "
            + "what a program would use that counts buffers, not bytes. Then 10,000 requests of 1 B to 1 MiB wait for a budget of 1 MiB, "
            + "and the bytes of each are returned once it is granted. A tenth of them needs the whole budget; nothing may pass them.",
        Tables =
        [
            new Table
            {
                Id = "budgets-times",
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
