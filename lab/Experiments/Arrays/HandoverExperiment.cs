using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Rented on one thread, returned on another.</summary>
internal sealed class HandoverExperiment : IExperiment
{
    private const string Group = "Handed over";
    private const double Target = 0.5;
    private const int ArraysPerBucket = 512;
    private static readonly int[] s_sizes = [256, 4 << 10, 64 << 10];

    public string Id => "handover";

    public string Title => "Rented here, returned there";

    public double QuickSeconds => 10;

    public double FullSeconds => 40;

    public ExperimentResult Run(ExperimentContext context)
    {
        using var crew = new Crew(2);
        ArrayPool<byte> created = ArrayPool<byte>.Create(s_sizes[^1], ArraysPerBucket);
        IReadOnlyList<Trial> CreateTrials(int size) =>
        [
            new HandoverTrial<TarnShared>(PoolNames.TarnShared, crew, default, size),
            new HandoverTrial<BclShared>(PoolNames.BclShared, crew, default, size),
            new HandoverTrial<BclCreated>(PoolNames.BclCreated, crew, new(created), size),
        ];

        Sweep sweep = Sweep.Run(context, context.HandoverRounds, s_sizes, CreateTrials);
        int items = context.IsFull ? 1_000_000 : 100_000;
        double[][] allocated =
        [
            .. s_sizes.Select(size => CreateTrials(size).Select(trial => Allocation.BytesPerOperation(trial, items)).ToArray()),
        ];

        return new ExperimentResult(Describe(context, sweep, allocated))
        {
            Comparisons =
            [
                .. s_sizes.Zip(sweep.Samples, (size, samples) => samples.Compare(
                    ours: 0,
                    peer: samples.Fastest(1, 2),
                    $"handover-{ByteSize.Id(size)}",
                    Group,
                    $"Rented here, returned there, {ByteSize.Text(size)}",
                    Target)),
            ],
            Figures =
            [
                .. s_sizes.Select((size, index) => new Figure
                {
                    Id = $"handover-allocated-{ByteSize.Id(size)}",
                    Title = $"Allocated for each {ByteSize.Text(size)} buffer handed over",
                    Value = allocated[index][0],
                    Unit = "B",
                    Bound = 0,
                }),
            ],
        };
    }

    private Section Describe(ExperimentContext context, Sweep sweep, double[][] allocated) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A producer rents a buffer, writes its first byte and hands it to a consumer, which reads the byte and returns the buffer; "
            + $"{HandoverTrial<BclShared>.InFlight} may be in flight. All pools use the same queue, whose cost is part of every figure. "
            + "Tarn's pool is compared with the faster of the two BCL pools, one of them created for this work with room for "
            + $"{ArraysPerBucket} arrays of a size.",
        Charts =
        [
            sweep.TimeAgainstSize(context, "handover-time", "Handed over", "Nanoseconds for one buffer handed over against the size."),
        ],
        Tables =
        [
            sweep.Times("handover-times", "Time for one buffer", "", new Column("Size", ColumnKind.Bytes)),
            new Table
            {
                Id = "handover-allocated",
                Title = "Allocated for one buffer",
                Note = "In steady state, both threads together.",
                Columns =
                [
                    new Column("Size", ColumnKind.Bytes),
                    .. sweep.Samples[0].Contenders.Select(name => new Column(name, ColumnKind.Bytes)),
                ],
                Rows =
                [
                    .. sweep.Points.Select((size, index) =>
                        (IReadOnlyList<object?>)[(double)size, .. allocated[index].Select(bytes => (object?)bytes)]),
                ],
            },
        ],
    };
}
