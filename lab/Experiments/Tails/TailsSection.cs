using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Calls;

namespace Tarn.Lab.Experiments.Tails;

/// <summary>The picture and the table of the slowest calls.</summary>
internal static class TailsSection
{
    /// <summary>One call in ten thousand takes longer.</summary>
    public const double Late = 0.9999;

    private const double Million = 1e6;

    /// <summary>One call in this many takes longer: the axis of the pictures.</summary>
    private static readonly double[] s_oneIn = [2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

    public static Section Create(string id, string title, IReadOnlyList<CallRounds> rounds, int threads) => new()
    {
        Id = id,
        Title = title,
        Text = $"Each call is timed alone, on {threads} threads, two for each processor. Rent, Return, Allocate and Free: each thread puts "
            + $"buffers of {ByteSize.Text(CallProgram.ShortestLength)} to {ByteSize.Text(CallProgram.LongestLength)} (log-uniform) in "
            + $"{CallProgram.OwnPlaces} places of its own, or one in {CallProgram.SharedOneIn} in a place shared by all threads, and "
            + "returns what lay there. With cap and trims, ours is disturbed as a program may disturb it, and as peers are not: "
            + $"the idle timeout is {TailContenders.IdleTimeout.TotalMilliseconds:0} ms, the cap "
            + $"{ByteSize.Text(TailContenders.PoolCapOfThread)} a thread for the pool and {ByteSize.Text(TailContenders.HeapCapOfThread)} "
            + $"for the heap, and every {TailRun.Period.TotalMilliseconds:0} ms another thread calls Trim. "
            + $"A stream of {ByteSize.Text(TailContenders.StreamBytes)} is created, written, read and "
            + $"disposed; a message of {TailContenders.MessageBytes} B is written to a ring and read from it by the same thread. Each time "
            + "contains one reading of the clock, which the row of the timer alone shows; it is subtracted nowhere. With more threads than "
            + "processors, the system takes the processor from a thread every few milliseconds, and the call that is running then takes "
            + "milliseconds longer, whatever it does: the share of such calls grows with the time a call takes. Calls in which that "
            + "happened are counted apart, as preempted; the second table, and the comparisons, leave them out." + Missing(),
        Charts =
        [
            CreateChart(id, CallKinds.Rent, rounds),
            CreateChart(id, CallKinds.Allocate, rounds),
            CreateChart(id, CallKinds.Stream, rounds),
        ],
        Tables =
        [
            CreateTable(
                id + "-all", "All calls", "Preempted: calls in a million during which the system gave the processor to another thread.",
                rounds, one => one.Times.All(), withPreempted: true),
            CreateTable(
                id + "-kept",
                "Calls during which the thread kept its processor",
                "A call that waits, as for a lock or for a collection, is among these. A call that only yields to others counts as "
                    + "preempted, because the system counts both alike: compare the counts above. Only Linux reports preemptions; "
                    + "elsewhere this table repeats the first.",
                rounds, one => one.Times.Kept, withPreempted: false),
        ],
    };

    private static string Missing() => NativePeers.DescribeMissing([NativePeers.Mimalloc]);

    private static Chart CreateChart(string id, string kind, IReadOnlyList<CallRounds> rounds) => new()
    {
        Id = $"{id}-{kind.ToLowerInvariant()}",
        Title = $"{kind}: the slowest calls",
        Description = "The time that one call in so many exceeds, all calls counted.",
        Kind = ChartKind.Lines,
        X = new Axis("One call in", "", Logarithmic: true),
        Y = new Axis("Takes longer than", "ns", Logarithmic: true),
        Series =
        [
            .. rounds.Where(one => one.Kind == kind || one.Kind == CallKinds.None).Select(one => new Series(
                one.Contender, PoolNames.RoleOf(one.Contender), Points(one.Times.All()))),
        ],
    };

    /// <summary>Percentiles of which some calls are beyond.</summary>
    private static Point[] Points(LatencyHistogram times) =>
    [
        .. s_oneIn.Where(oneIn => oneIn * 2 <= times.Count)
            .Select(oneIn => new Point(oneIn, Clock.Nanoseconds(0, 1) * times.Percentile(1 - (1 / oneIn)))),
    ];

    private static Table CreateTable(
        string id,
        string title,
        string note,
        IReadOnlyList<CallRounds> rounds,
        Func<CallRounds, LatencyHistogram> select,
        bool withPreempted)
    {
        IReadOnlyList<Column> preempted = withPreempted ? [new Column("Preempted", ColumnKind.Number)] : [];
        return new Table
        {
            Id = id,
            Title = title,
            Note = note,
            Columns =
            [
                new Column("Call", ColumnKind.Text),
                new Column("Contender", ColumnKind.Text),
                new Column("Calls", ColumnKind.Number),
                new Column("50 %", ColumnKind.Nanoseconds),
                new Column("99 %", ColumnKind.Nanoseconds),
                new Column("99.9 %", ColumnKind.Nanoseconds),
                new Column("99.99 %", ColumnKind.Nanoseconds),
                new Column("Longest", ColumnKind.Nanoseconds),
                .. preempted,
            ],
            Rows = [.. rounds.Select(one => CreateRow(one, select(one), withPreempted))],
        };
    }

    private static IReadOnlyList<object?> CreateRow(CallRounds one, LatencyHistogram times, bool withPreempted)
    {
        double tick = Clock.Nanoseconds(0, 1);
        double all = one.Times.Kept.Count + one.Times.Preempted.Count;
        IReadOnlyList<object?> preempted =
            !withPreempted ? [] : [ThreadSwitches.AreKnown ? Million * one.Times.Preempted.Count / all : null];
        return
        [
            one.Kind,
            one.Contender,
            (double)times.Count,
            tick * times.Percentile(0.5),
            tick * times.Percentile(0.99),
            tick * times.Percentile(0.999),
            tick * times.Percentile(Late),
            tick * times.Longest,
            .. preempted,
        ];
    }
}
