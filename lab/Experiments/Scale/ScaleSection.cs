extern alias Counted;

using Counted::Tarn.Lab.Counted;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>The tables of the counts.</summary>
internal static class ScaleSection
{
    private const double Million = 1e6;

    public static Section Create(string id, string title, IReadOnlyList<ICountedLoad> loads, IReadOnlyList<ScaleCount> counts) => new()
    {
        Id = id,
        Title = title,
        Text = "Nothing is timed here. The lab compiles the library once more, from the same files, with locks and interlocked "
            + "operations that count themselves, and replays recorded programs on it. On fewer threads than recorded, some are "
            + "merged. On more, several copies of the program share the pool. Two more loads hand over what programs do not: one "
            + "buffer in eight, and every buffer, through places that all threads share. The pool is warm when counting begins. A "
            + "call that takes no lock and no interlocked operation writes only memory of its own thread, so it takes as long on any "
            + "number of processors. A line is foreign if another thread wrote it last: a processor must fetch it from another one. "
            + "The table counts one for each lock or operation; the data behind a lock lie in the same line or in a few more. With "
            + "fewer processors than threads, a thread makes many calls before another one runs, so a machine with more processors "
            + "has more foreign lines: at most as many as shared locks and operations.",
        Tables =
        [
            new Table
            {
                Id = id + "-calls",
                Title = "For each million calls",
                Note = "Rents and returns are calls. Busiest: the lock taken most. Held: locks found held, on the processors of this "
                    + "machine. ArrayPool.Shared is a model of its design (one array of each power of two for a thread, then stacks with a "
                    + "lock for each processor): it takes at least these locks. mimalloc is computed: by its design, the free of another "
                    + "thread's block is an interlocked operation on a line of the block's page.",
                Columns =
                [
                    new Column("Load", ColumnKind.Text),
                    new Column("Contender", ColumnKind.Text),
                    new Column("Threads", ColumnKind.Number),
                    new Column("Locks", ColumnKind.Number),
                    new Column("Busiest", ColumnKind.Number),
                    new Column("Held", ColumnKind.Number),
                    new Column("Interlocked", ColumnKind.Number),
                    new Column("Foreign lines", ColumnKind.Number),
                ],
                Rows = [.. loads.SelectMany(load => RowsOf(load, counts))],
            },
            new Table
            {
                Id = id + "-places",
                Title = "The same by place, on the most threads",
                Note = "The file that has the lock or performs the operation. Fewer than one in a hundred thousand calls are left out.",
                Columns =
                [
                    new Column("Load", ColumnKind.Text),
                    new Column("Contender", ColumnKind.Text),
                    new Column("File", ColumnKind.Text),
                    new Column("Locks", ColumnKind.Number),
                    new Column("Busiest", ColumnKind.Number),
                    new Column("Interlocked", ColumnKind.Number),
                    new Column("Foreign lines", ColumnKind.Number),
                ],
                Rows = [.. counts.GroupBy(count => (count.Load, count.Contender)).SelectMany(group => PlacesOf(group.Last()))],
            },
        ],
    };

    private static IEnumerable<IReadOnlyList<object?>> RowsOf(ICountedLoad load, IReadOnlyList<ScaleCount> counts)
    {
        foreach (ScaleCount count in counts.Where(count => count.Load == load.Name))
        {
            yield return
            [
                count.Load,
                count.Contender,
                (double)count.Threads,
                Whole(count.PerMillion(count.Locks)),
                Whole(count.BusiestLock),
                Whole(count.PerMillion(one => one.HeldLocks)),
                Whole(count.PerMillion(one => one.Interlocked)),
                Whole(count.PerMillion(one => one.ForeignLines)),
            ];
        }

        // Half of the calls are frees.
        double foreign = Math.Round(Million * load.HandedOver / 2);
        yield return [load.Name, ScaleNames.Mimalloc, null, null, null, null, foreign, foreign];
    }

    private static IEnumerable<IReadOnlyList<object?>> PlacesOf(ScaleCount count) =>
        from place in count.Places
        let numbers = place.Value
        let locks = Math.Round(count.PerMillion(numbers.Locks))
        let interlocked = Math.Round(count.PerMillion(numbers.Interlocked))
        where locks + interlocked >= 10
        orderby locks + interlocked descending
        select (IReadOnlyList<object?>)
        [
            count.Load,
            count.Contender,
            place.Key,
            locks,
            Math.Round(count.PerMillion(numbers.BusiestLock)),
            interlocked,
            Math.Round(count.PerMillion(numbers.ForeignLines)),
        ];

    private static double? Whole(double? value) => value is { } number ? Math.Round(number) : null;
}
