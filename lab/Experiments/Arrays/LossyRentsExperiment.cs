using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>A program that never returns a part of its buffers.</summary>
internal sealed class LossyRentsExperiment : IExperiment
{
    private const string Group = "Other work";
    private const int LargestSize = 16 << 10;
    private static readonly int[] s_threads = [1, 2];

    public string Id => "lossy";

    public string Title => "Buffers that never come back";

    public double QuickSeconds => 6;

    public double FullSeconds => 27;

    public ExperimentResult Run(ExperimentContext context)
    {
        var program = new RandomProgram(context.CreateRandom(), LossyRents<BclShared>.LostShare, LargestSize);
        ArrayPool<byte> created = ArrayPool<byte>.Create();
        Crew[] crews = [.. s_threads.Select(threads => new Crew(threads))];
        Crew CrewOf(int threads) => crews[Array.IndexOf(s_threads, threads)];

        Sweep sweep = Sweep.Run(context, context.CrewRounds, s_threads, threads =>
        {
            // Each thread begins elsewhere in the program, so that the threads do not lose the same lengths at once.
            int started = 0;
            int NextStart() => started++ * (RandomProgram.Steps / threads);
            return
            [
                new CrewTrial<LossyRents<TarnShared>>(PoolNames.TarnShared, CrewOf(threads), () => new(default, program, NextStart())),
                new CrewTrial<LossyRents<BclShared>>(PoolNames.BclShared, CrewOf(threads), () => new(default, program, NextStart())),
                new CrewTrial<LossyRents<BclCreated>>(PoolNames.BclCreated, CrewOf(threads), () => new(new(created), program, NextStart())),
            ];
        });

        foreach (Crew crew in crews)
        {
            crew.Dispose();
        }

        return new ExperimentResult(Describe(sweep))
        {
            Comparisons =
            [
                .. sweep.Compare(0, 1, threads => $"lossy-shared-{threads}", Group, threads => $"{Lost(threads)}, against Shared"),
                .. sweep.Compare(0, 2, threads => $"lossy-created-{threads}", Group, threads => $"{Lost(threads)}, against Create"),
            ],
        };
    }

    private static string Lost(int threads) =>
        $"One buffer of {LossyRents<BclShared>.LostShare} lost, {(threads == 1 ? "1 thread" : $"{threads} threads")}";

    private Section Describe(Sweep sweep) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"Every thread rents buffers of 16 B to {ByteSize.Text(LargestSize)}, as many small ones as large ones in every doubling, "
            + $"writes to each, and returns all but one of {LossyRents<BclShared>.LostShare}. The collector takes the lost ones, and the "
            + "pool allocates others in their place. Times are core time for one rent, with its return and its share of the collections.",
        Tables =
        [
            sweep.Times("lossy-times", "One rent", "Core time for one rent and what follows.", new Column("Threads", ColumnKind.Number)),
        ],
    };
}
