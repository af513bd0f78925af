using Tarn.Lab.Model;
using Tarn.Lab.Replay;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>The report section of recorded programs.</summary>
internal static class TracesSection
{
    public static Section Describe(string id, string title, IReadOnlyList<TraceResult> results) => new()
    {
        Id = id,
        Title = title,
        Text = "Rents and returns of recorded programs, such as Kestrel and the C# compiler, replayed without their pauses on as many "
            + "threads. Each thread repeats its events in order, and a buffer that another thread returned is handed over to that thread. "
            + "The recording contains the length given; for each, one requested length is drawn from those for which ArrayPool.Shared "
            + "gives it. Times are processor time of all threads without waiting, minus the time of the replay without a pool. The pool "
            + "from ArrayPool.Create has room for every length and for as many buffers as were ever in use; Tarn's pool has its default "
            + "options.",
        Tables =
        [
            Times(results),
            Memory(results),
            new Table
            {
                Id = "traces-recorded",
                Title = "The recordings",
                Note = "Handed over: returned by another thread than rented it. Left out: buffers whose return was not recorded. Threads: "
                    + "recorded; those with less than 1 % of the events are replayed as one. Buffers count as arrays of bytes, because "
                    + "recordings do not contain the element type.",
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
        Note = "The floor is the time of the replay without a pool; the other columns do not include it.",
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
        Note = "Allocated: bytes of arrays never seen before, of the bytes rented, after three passes. Retained: arrays that survive a "
            + "collection after everything was returned. Slack: given but not requested. Shares of one.",
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
