using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Random lengths with a working set of live buffers.</summary>
internal sealed class RandomSizesExperiment : IExperiment
{
    private const string Group = "Other work";
    private const int LargestSize = 1 << 20;

    public string Id => "random";

    public string Title => "Random sizes with a working set";

    public double QuickSeconds => 3;

    public double FullSeconds => 8;

    public ExperimentResult Run(ExperimentContext context)
    {
        const int Live = RandomReplace<BclShared>.LiveBuffers;
        Random random = context.CreateRandom();
        var program = new RandomProgram(random, Live);
        ArrayPool<byte> created = ArrayPool<byte>.Create(LargestSize, Live);
        Trial[] trials =
        [
            new LoopTrial<RandomReplace<TarnShared>>(PoolNames.TarnShared, new(default, program)),
            new LoopTrial<RandomReplace<BclShared>>(PoolNames.BclShared, new(default, program)),
            new LoopTrial<RandomReplace<BclCreated>>(PoolNames.BclCreated, new(new(created), program)),
        ];

        WarmUp.Run(trials);
        // Run the whole program once: afterwards a pool has allocated every size it will need, if it keeps buffers.
        foreach (Trial trial in trials)
        {
            trial.Run(RandomProgram.Steps);
        }

        RoundSamples samples = PairedRounds.Measure(trials, context.Rounds, random);
        double[] allocated = [.. trials.Select(trial => Allocation.BytesPerOperation(trial, RandomProgram.Steps))];

        return new ExperimentResult(Describe(samples, allocated))
        {
            Comparisons =
            [
                samples.Compare(0, 1, "random-shared", Group, "Random sizes, 64 live buffers, against Shared"),
                samples.Compare(0, 2, "random-created", Group, "Random sizes, 64 live buffers, against Create"),
            ],
            Figures =
            [
                new Figure
                {
                    Id = "random-allocated",
                    Title = "Allocated for each random buffer",
                    Value = allocated[0],
                    Unit = "B",
                    Bound = 0,
                },
            ],
        };
    }

    private Section Describe(RoundSamples samples, double[] allocated) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"{RandomReplace<BclShared>.LiveBuffers} buffers are live; each operation returns one of them at random and rents another "
            + $"of a random size from 16 B to {ByteSize.Text(LargestSize)}, as many small ones as large ones in every doubling. The "
            + "sequence is the same for every pool and is repeated, so a pool that keeps what the program needs allocates nothing. "
            + $"ArrayPool.Create has room for {RandomReplace<BclShared>.LiveBuffers} arrays of each size.",
        Tables =
        [
            new Table
            {
                Id = "random-times",
                Title = "One return and one rent",
                Columns =
                [
                    new Column("Pool", ColumnKind.Text),
                    new Column("Time", ColumnKind.Nanoseconds),
                    new Column("Allocated", ColumnKind.Bytes),
                ],
                Rows =
                [
                    .. samples.Contenders.Select((name, index) => (IReadOnlyList<object?>)[name, samples.Median(index), allocated[index]]),
                ],
            },
        ],
    };
}
