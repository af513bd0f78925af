using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>The memory that stays resident when a mixed load shrinks to a tenth and continues at that size.</summary>
internal sealed class ShrinkingExperiment : IExperiment
{
    private const double MimallocBound = 1.2;

    public string Id => "shrinking";

    public string Title => "A load that shrinks";

    public double QuickSeconds => 45;

    public double FullSeconds => 240;

    public ExperimentResult Run(ExperimentContext context)
    {
        TimeSpan idleTimeout = TimeSpan.FromSeconds(context.IsFull ? 10 : 1);
        TimeSpan load = TimeSpan.FromSeconds(context.IsFull ? 10 : 2);
        TimeSpan after = (2 * idleTimeout) + TimeSpan.FromSeconds(context.IsFull ? 10 : 3);
        int seed = context.CreateRandom().Next();
        string[] names =
        [
            NativeNames.TarnHeapInstance,
            .. NativeContenders.Peers
                .Select(peer => peer.Name)
                .Where(name => name != NativeNames.NativeMemory || !NativePeers.CLibrary.IsPresent),
        ];

        // One after the other, because concurrent loads would slow each other down.
        List<MemoryCourse> shrunk = [];
        foreach (string name in names)
        {
            shrunk.Add(new ShrinkingJob().Start(name, idleTimeout, load, after, seed));
            context.Report((double)shrunk.Count / names.Length);
        }

        MemoryCourse ours = shrunk[0];
        MemoryCourse? mimalloc = shrunk.Find(memory => memory.Contender == NativeNames.Mimalloc);
        return new ExperimentResult(Describe(idleTimeout, shrunk))
        {
            Figures = mimalloc is null ? [] :
            [
                new Figure
                {
                    Id = "shrinking-mimalloc",
                    Title = "Resident when a tenth of a mixed load was left for twice the idle timeout, ours ÷ mimalloc's",
                    Value = ours.AtEnd / mimalloc.AtEnd,
                    Unit = "",
                    Bound = MimallocBound,
                },
            ],
        };
    }

    private Section Describe(TimeSpan idleTimeout, List<MemoryCourse> shrunk) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"{ShrinkingJob.Threads} threads build a live set of {ByteSize.Text(ShrinkingJob.LoadBytes)}, blocks of 16 B to 256 KiB, "
            + "each OS page of them written, and replace random ones of it; then free random ones, allocating one for ten, until a tenth "
            + $"is left; and continue replacing at that size. Tarn's heap gives up idle memory after {idleTimeout.TotalSeconds:0} s, the "
            + "peers have their own rules. Every allocator runs in a process of its own." + NativePeers.DescribeMissing(),
        Charts =
        [
            new Chart
            {
                Id = "shrinking-resident",
                Title = "Resident memory while a load shrinks",
                Description = "Resident memory of one process for each allocator, before and after its load shrank to a tenth.",
                Kind = ChartKind.Lines,
                X = new Axis("Time", "s", Logarithmic: false),
                Y = new Axis("Memory", "B", Logarithmic: false),
                Series = [.. shrunk.Select(memory => new Series(memory.Contender, PoolNames.RoleOf(memory.Contender), memory.Points))],
                Marks = [new Mark(shrunk[0].LoadEnd, "a tenth")],
            },
        ],
        Tables =
        [
            new Table
            {
                Id = "shrinking-memory",
                Title = "When a tenth is left",
                Columns =
                [
                    new Column("Allocator", ColumnKind.Text),
                    new Column("Peak", ColumnKind.Bytes),
                    new Column("Half a second later", ColumnKind.Bytes),
                    new Column($"After {2 * idleTimeout.TotalSeconds:0} s", ColumnKind.Bytes),
                    new Column("At the end", ColumnKind.Bytes),
                ],
                Rows =
                [
                    .. shrunk.Select(memory => (IReadOnlyList<object?>)
                    [
                        memory.Contender,
                        memory.Peak,
                        memory.After(TimeSpan.FromSeconds(0.5)),
                        memory.After(2 * idleTimeout),
                        memory.AtEnd,
                    ]),
                ],
            },
        ],
    };
}
