using Tarn.Lab.Model;
using Tarn.Lab.Replay;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>How recorded programs stand in the report.</summary>
internal static class TracesSection
{
    public static Section Describe(string id, string title, IReadOnlyList<TraceResult> results) => new()
    {
        Id = id,
        Title = title,
        Text = "Rents and returns of programs that were recorded while they worked, such as Kestrel and the C# compiler, replayed without "
            + "their pauses on as many threads. Each thread does what it did in its order, and a buffer that another thread returns is "
            + "returned by that thread. The recording tells the length given; for each, one requested length is drawn from those for which "
            + "ArrayPool.Shared gives it. Times are processor time of all threads without waiting, less what the replay takes without a "
            + "pool. The pool from ArrayPool.Create has room for every length and for as many buffers as were ever in use; ours has its "
            + "default options.",
        Tables =
        [
            Times(results),
            Memory(results),
            new Table
            {
                Id = "traces-recorded",
                Title = "What was recorded",
                Note = "Handed over: returned by another thread than rented it. Left out: buffers whose return was not recorded. Threads: "
                    + "recorded; those that do less than 1 % are replayed as one. Buffers count as arrays of bytes: recordings do not tell "
                    + "the element type.",
                Columns =
                [
                    new Column("Program", ColumnKind.Text),
                    new Column("Rents", ColumnKind.Number),
                    new Column("Handed over", ColumnKind.Number),
                    new Column("Left out", ColumnKind.Number),
                    new Column("Events lost", ColumnKind.Number),
                    new Column("Threads", ColumnKind.Number),
                    new Column("Replayed on", ColumnKind.Number),
                    new Column("Longest buffer", ColumnKind.Bytes),
                    new Column("Most in use", ColumnKind.Bytes),
                    new Column("Recorded in", ColumnKind.Nanoseconds),
                ],
                Rows =
                [
                    .. results.Select(one => (IReadOnlyList<object?>)
                    [
                        one.Name,
                        (double)one.Program.Rents,
                        (double)one.Program.CommonPlaces,
                        (double)one.Program.LeftOut,
                        (double)one.Trace.Origin.LostEvents,
                        (double)one.Trace.Threads,
                        (double)one.Program.Threads,
                        (double)one.Program.LargestLength,
                        (double)one.Program.RecordedPeak,
                        one.Trace.Duration.TotalNanoseconds,
                    ]),
                ],
            },
        ],
    };

    private static Table Times(IReadOnlyList<TraceResult> results) => new()
    {
        Id = "traces-times",
        Title = "Time for a rent and its return",
        Note = "The floor is what the replay takes with no pool; it is not in the other columns.",
        Columns =
        [
            new Column("Program", ColumnKind.Text),
            .. results[0].Times.Contenders.Select(name => new Column(name, ColumnKind.Nanoseconds)),
            new Column("Floor", ColumnKind.Nanoseconds),
        ],
        Rows =
        [
            .. results.Select(one => (IReadOnlyList<object?>)
                [one.Name, .. one.Times.Contenders.Select((_, contender) => (object?)one.Times.Median(contender)), one.Floor]),
        ],
    };

    private static Table Memory(IReadOnlyList<TraceResult> results) => new()
    {
        Id = "traces-memory",
        Title = "Memory",
        Note = "Allocated: bytes of arrays never seen before, of the bytes rented, after three passes. Retained: arrays that live on when "
            + "everything has been returned, after a collection. Slack: given and not requested. Shares of one.",
        Columns =
        [
            new Column("Program", ColumnKind.Text),
            new Column("Pool", ColumnKind.Text),
            new Column("Allocated", ColumnKind.Number),
            new Column("Most in use", ColumnKind.Bytes),
            new Column("Retained", ColumnKind.Bytes),
            new Column("Retained ÷ in use", ColumnKind.Number),
            new Column("Slack", ColumnKind.Number),
        ],
        Rows =
        [
            .. results.SelectMany(one => one.Memory.Select((memory, pool) => (IReadOnlyList<object?>)
            [
                one.Name,
                one.Times.Contenders[pool],
                memory.Allocated,
                (double)memory.PeakInUseBytes,
                (double)memory.RetainedBytes,
                memory.RetainedOfPeak,
                memory.Slack,
            ])),
        ],
    };
}
