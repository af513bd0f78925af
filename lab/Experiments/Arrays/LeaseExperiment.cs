using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>The cost of safety: a lease against the raw pair, and against the owners of other libraries.</summary>
internal sealed class LeaseExperiment : IExperiment
{
    private const string Group = "Leases";
    private const double Target = 1.0;
    private const int AllocationIterations = 10_000;

    /// <summary>The place of our memory pool among the owners.</summary>
    private const int MemoryPoolTrial = 3;

    private const int DotNextTrial = 4;

    private static readonly int[] s_sizes = [100, 1 << 10, 16 << 10, 128 << 10, 1 << 20];

    public string Id => "lease";

    public string Title => "Leases: what safety costs";

    public double QuickSeconds => 8;

    public double FullSeconds => 45;

    public ExperimentResult Run(ExperimentContext context)
    {
        Sweep leases = Sweep.Run(context.Part(1, 2), s_sizes, CreateLeases);
        Sweep owners = Sweep.Run(context.Part(2, 2), s_sizes, CreateOwners);
        IReadOnlyList<Figure> allocated =
        [
            .. CreateLeases(1 << 10).Concat(CreateOwners(1 << 10)).Select(trial => new Figure
            {
                Id = "lease-allocated-" + trial.Name.Replace('.', ' ').Replace(' ', '-').ToLowerInvariant(),
                Title = trial.Name,
                Value = Allocation.BytesPerOperation(trial, AllocationIterations),
                Unit = "B",
                Bound = trial.Name is PoolNames.TarnLease ? 0 : null,
            }),
        ];

        return new ExperimentResult(Describe(context, leases, owners, allocated))
        {
            Comparisons =
            [
                .. Compare(leases, 1, "lease", "Lease {0}, against a raw pair", Target),
                .. Compare(leases, 2, "lease-toolkit", "Lease {0}, against SpanOwner"),
                .. Compare(owners, 1, "lease-memory", "LeaseMemory {0}, against MemoryPool"),
                .. Compare(owners, 2, "lease-memory-toolkit", "LeaseMemory {0}, against MemoryOwner"),
                .. Compare(owners, DotNextTrial, "lease-memory-dotnext", "LeaseMemory {0}, against DotNext's MemoryOwner"),
                .. Compare(owners, 1, "memory-pool", "AsMemoryPool {0}, against MemoryPool.Shared", ours: MemoryPoolTrial),
            ],
            Figures = allocated,
        };
    }

    private static IEnumerable<Comparison> Compare(
        Sweep sweep, int peer, string id, string title, double? target = null, int ours = 0) =>
        sweep.Compare(
            ours,
            peer,
            size => $"{id}-{ByteSize.Id(size)}",
            Group,
            size => title.Replace("{0}", ByteSize.Text(size), StringComparison.Ordinal),
            target);

    private static IReadOnlyList<Trial> CreateLeases(int size) =>
    [
        new LoopTrial<LeaseTouched>(PoolNames.TarnLease, new(size)),
        new LoopTrial<TouchedPair<BclShared>>(PoolNames.BclShared, new(default, size)),
        new LoopTrial<SpanOwnerTouched>(PoolNames.ToolkitSpanOwner, new(size)),
    ];

    private static IReadOnlyList<Trial> CreateOwners(int size) =>
    [
        new LoopTrial<LeaseMemoryTouched>(PoolNames.TarnLeaseMemory, new(size)),
        new LoopTrial<MemoryPoolTouched>(PoolNames.BclMemoryPool, new(size)),
        new LoopTrial<MemoryOwnerTouched>(PoolNames.ToolkitMemoryOwner, new(size)),
        new LoopTrial<TarnMemoryPoolTouched>(PoolNames.TarnMemoryPool, new(size)),
        new LoopTrial<DotNextOwnerTouched>(PoolNames.DotNextMemoryOwner, new(size)),
    ];

    private Section Describe(ExperimentContext context, Sweep leases, Sweep owners, IReadOnlyList<Figure> allocated) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A lease has the requested length, returns its buffer only once even if it is disposed again, and cannot be used "
            + "afterwards. Each operation takes a buffer, writes its first byte and returns it. The raw pair of ArrayPool.Shared promises "
            + "none of this; the lease must not take longer. Leases of Memory live across an await and are small objects. The owners of "
            + "AsMemoryPool are smaller: memory kept past their disposal does not throw.",
        Charts = [leases.TimeAgainstSize(context, "lease-time", "Leases", "Nanoseconds for one lease against the size.")],
        Tables =
        [
            leases.Times(
                "lease-times",
                "Synchronous leases",
                "ArrayPool.Shared stands for its raw rent and return.",
                new Column("Size", ColumnKind.Bytes)),
            owners.Times("lease-memory-times", "Leases of Memory", "", new Column("Size", ColumnKind.Bytes)),
            new Table
            {
                Id = "lease-allocated",
                Title = "Bytes allocated by one operation",
                Columns = [new Column("Lease", ColumnKind.Text), new Column("Allocated", ColumnKind.Bytes)],
                Rows = [.. allocated.Select(figure => (IReadOnlyList<object?>)[figure.Title, figure.Value])],
            },
        ],
    };
}
