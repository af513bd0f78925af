using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>The pictures and tables of the web server.</summary>
internal sealed class KestrelSection(KestrelMeasurements measured, IReadOnlyList<string> missing)
{
    public Section Create(string id, string title) => new()
    {
        Id = id,
        Title = title,
        Text = "The same program serves with Kestrel's own memory pool, whose blocks are 4 KiB, and with Tarn.AspNetCore, whose blocks are "
            + "64 KiB. It reads uploads to their end, sends 1 MiB in pieces of 16 KiB, and answers small requests with two bytes. wrk and "
            + "h2load, each in a process of its own, load the two servers by turns. Time for a request is the time from one answer to the "
            + "next; generator and server share the machine's processors. "
            + $"{ServerLoad.All[0].Connections} connections at a time transfer large bodies, and 64 send small requests; HTTP/2 uses an "
            + "eighth of the connections with eight streams each." + LoadGenerator.Describe(missing),
        Charts = measured.Loads.Count == 0 ? [] : [Rates()],
        Tables =
        [
            .. (Table[])(measured.Loads.Count == 0 ? [] : [Loads(), Bounds()]),
            .. (Table[])(measured.Memory.Count == 0 ? [] : [Memory()]),
            Slow(),
        ],
    };

    private Chart Rates() => new()
    {
        Id = "kestrel-rates",
        Title = "Requests a second",
        Description = "Requests a second of Kestrel with its own memory pool and with Tarn's, for each load.",
        Kind = ChartKind.Bars,
        X = new Axis("Load", "", Logarithmic: false),
        Y = new Axis("Requests", "op/s", Logarithmic: true),
        Categories = [.. measured.Loads.Select(samples => samples.Load.Title)],
        Series =
        [
            .. ServerNames.All.Select((name, contender) => new Series(
                name,
                PoolNames.RoleOf(name),
                [.. measured.Loads.Select((samples, load) => new Point(load, Rate(samples.Times, contender)))])),
        ],
    };

    private Table Loads() => new()
    {
        Id = "kestrel-loads",
        Title = "Under load",
        Note = "Medians of the rounds. Processor time is the server's alone, and the system's for it. Allocated counts everything that the "
            + "server allocated. Both are for a request.",
        Columns =
        [
            new Column("Load", ColumnKind.Text),
            .. ServerNames.All.Select(name => new Column($"Requests a second, {name}", ColumnKind.Number)),
            .. ServerNames.All.Select(name => new Column($"Processor time, {name}", ColumnKind.Nanoseconds)),
            .. ServerNames.All.Select(name => new Column($"99th percentile, {name}", ColumnKind.Nanoseconds)),
            .. ServerNames.All.Select(name => new Column($"Allocated, {name}", ColumnKind.Bytes)),
        ],
        Rows =
        [
            .. measured.Loads.Select(samples => (IReadOnlyList<object?>)
            [
                samples.Load.Title,
                .. ServerNames.All.Select((_, contender) => (object?)Math.Round(Rate(samples.Times, contender))),
                .. ServerNames.All.Select((_, contender) => (object?)samples.Processor.Median(contender)),
                .. ServerNames.All.Select((_, contender) => (object?)samples.Late.Median(contender)),
                .. ServerNames.All.Select((_, contender) => (object?)samples.Allocated.Median(contender)),
            ]),
        ],
    };

    private Table Bounds() => new()
    {
        Id = "kestrel-bounds",
        Title = "What no memory pool can pass",
        Note = "wrk and h2load run on one thread, so a request takes at least their own processor time, whatever the server does. The "
            + "least ratio is the lesser of their two times, divided by the time for a request with Kestrel's own pool.",
        Columns =
        [
            new Column("Load", ColumnKind.Text),
            .. ServerNames.All.Select(name => new Column($"Generator's processor time, {name}", ColumnKind.Nanoseconds)),
            new Column("Least ratio", ColumnKind.Number),
            new Column("Ratio", ColumnKind.Number),
            new Column("Target", ColumnKind.Number),
        ],
        Rows =
        [
            .. measured.Loads.Select(samples => (IReadOnlyList<object?>)
            [
                samples.Load.Title,
                .. ServerNames.All.Select((_, contender) => (object?)samples.Generator.Median(contender)),
                Math.Round(Math.Min(samples.Generator.Median(0), samples.Generator.Median(1)) / samples.Times.Median(1), 2),
                Math.Round(samples.Times.Ratio(0, 1).Median, 2),
                Math.Round(samples.Load.Target, 2),
            ]),
        ],
    };

    private Table Memory() => new()
    {
        Id = "kestrel-memory",
        Title = $"Resident memory around {KestrelMeasurements.ManyConnections} connections",
        Note = $"Fresh servers. Before: {KestrelMeasurements.Rest.TotalSeconds:0} s after a small load. Then "
            + $"{KestrelMeasurements.ManyConnections} connections upload 300 KiB again and again for four seconds.",
        Columns =
        [
            new Column("Memory pool", ColumnKind.Text),
            new Column("Before", ColumnKind.Bytes),
            new Column("At the end of the load", ColumnKind.Bytes),
            new Column($"{KestrelMeasurements.Rest.TotalSeconds:0} s later", ColumnKind.Bytes),
        ],
        Rows =
        [
            .. measured.Memory.Select(memory => (IReadOnlyList<object?>)
                [memory.Contender, memory.IdleBytes, memory.LoadedBytes, memory.AfterBytes]),
        ],
    };

    private Table Slow() => new()
    {
        Id = "kestrel-slow",
        Title = "Slow connections under a cap",
        Note = "Each client sends half of a request, waits for two seconds, and sends the rest. Tarn's cap is "
            + $"{ByteSize.Text(KestrelMeasurements.SlowCap)}; a large block for each client would take "
            + $"{ByteSize.Text((long)KestrelMeasurements.SlowClients * (64 << 10))}.",
        Columns =
        [
            new Column("Connections", ColumnKind.Number),
            new Column("Answered", ColumnKind.Number),
            new Column("Most pooled", ColumnKind.Bytes),
            new Column("Most resident", ColumnKind.Bytes),
        ],
        Rows =
        [
            [
                (double)measured.Slow.Connections,
                (double)measured.Slow.Answered,
                (double)measured.Slow.PooledBytes,
                (double)measured.Slow.ResidentBytes,
            ],
        ],
    };

    private static double Rate(RoundSamples times, int contender) => 1e9 / times.Median(contender);
}
