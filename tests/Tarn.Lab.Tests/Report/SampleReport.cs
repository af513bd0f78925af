using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Report;

/// <summary>
/// A report like those the lab makes: the same experiments, sizes and names, with invented but plausible figures (seeded, so that
/// pictures of it can be compared), and among them the odd values a real run may hold.
/// </summary>
internal static class SampleReport
{
    private const string Pool = "BufferPool<byte>";
    private const string Lease = "BufferPool<byte>.Lease";
    private const string Shared = "ArrayPool<byte>.Shared";

    public static LabReport Build() => new()
    {
        Run = Run(),
        Comparisons = Comparisons(),
        Figures = Figures(),
        Sections = [AllocationWays(), LargeArrays(), MemoryOverTime(), Threads(), OddValues()],
        Changes = Changes(),
    };

    public static LabReport Empty() => new() { Run = Run() };

    public static Comparison Compare(
        string id, double ratio, double? target = null, string group = "One thread", string title = "", string unit = "ns",
        double spread = 0.02, double peer = 20) => new()
        {
            Id = id,
            Group = group,
            Title = title.Length > 0 ? title : id,
            Ours = Pool,
            Peer = Shared,
            OursValue = peer * ratio,
            PeerValue = peer,
            Unit = unit,
            Ratio = ratio,
            RatioLow = ratio * (1 - spread),
            RatioHigh = ratio * (1 + spread),
            Rounds = 41,
            Target = target,
        };

    private static RunInfo Run() => new()
    {
        Command = "dotnet run -c Release --project lab -- --full --baseline lab/results/results.json",
        Mode = "full",
        StartedAt = new DateTimeOffset(2026, 11, 21, 10, 30, 0, TimeSpan.Zero),
        DurationSeconds = 1483,
        TarnVersion = "0.1.0",
        Machine = new Machine
        {
            Processor = "Intel Xeon Platinum 8488C",
            LogicalCores = 8,
            L1DataBytes = 48 << 10,
            L2Bytes = 2 << 20,
            L3Bytes = 105L << 20,
            MemoryBytes = 32L << 30,
            OperatingSystem = "Debian GNU/Linux 12 (bookworm)",
            Runtime = ".NET 10.0.1",
            Sdk = "10.0.401",
        },
        Settings = new Dictionary<string, string>
        {
            ["Garbage collector"] = "workstation, concurrent",
            ["DOTNET_TieredPGO"] = "1",
            ["TARN_CHECKS"] = "not set",
        },
    };

    private static Comparison[] Comparisons() =>
    [
        Compare("single-1kib", 0.61, 0.70, title: "One buffer of 1 KiB, rented and returned"),
        Compare("lease-1kib", 0.98, 1.00, title: "The same through a lease", spread: 0.03),
        Compare("deep-8", 0.184, 0.25, title: "Eight deep: eight rented, then eight returned"),
        Compare("single-1mib", 0.34, 0.5, title: "One buffer of 1 MiB", spread: 0.06),
        Compare("random-sizes", 0.72, 0.8, title: "Random sizes from 16 B to 1 MiB with a working set of 64 buffers", spread: 0.08),
        Compare("threads-2", 0.58, 0.7, "Many threads", "Two threads, each its own buffers"),
        Compare("threads-32", 0.47, 0.7, "Many threads", "32 threads on 8 cores", spread: 0.2),
        Compare("handed-over", 0.055, 0.2, "Many threads", "Rented on one thread, returned on another", spread: 0.1),
        Compare("first-use", 1.31, 1.2, "Rarely", "First use of a size on a fresh thread", spread: 0.05),
        Compare("string-pool", 1.07, 1.1, "Rarely", "Arrays of references, cleared on return", spread: 0.03),
        Compare("clear", 1.004, null, "Rarely", "Cleared on return, 64 KiB", spread: 0.01),
        Compare("idle-memory", 0.021, 0.1, "Memory", "Retained ten seconds after a burst of 512 MiB", "B", 0.3, 512 << 20),
        Compare("slack", 0.37, 0.5, "Memory", "Slack of random sizes", "B", peer: 41_700),
        Compare("working-set", 2.4, null, "Memory", "Peak of 32 threads that each touch every size once", "B", 0.12, 61 << 20),
        Compare("native-pair-64b", 0.41, 0.35, "Native heap, one thread", "Allocate and free 64 B"),
        Compare("streams-byte", 1.18, 1.1, "Streams", "Single bytes, against <MemoryStream> & more", spread: 0.03),
        Compare("ring-64b", 0.012, null, "Messages", "64 B to another process"),
    ];

    private static Figure[] Figures() =>
    [
        new() { Id = "idle-retained", Title = "Retained when idle, share of the peak", Value = 0.08, Unit = "", Bound = 0.05 },
        new() { Id = "slack-worst", Title = "Worst slack", Value = 0.2, Unit = "", Bound = 0.2 },
        new() { Id = "unused", Title = "An unused heap", Value = 135_168, Unit = "B" },
    ];

    private static Section AllocationWays()
    {
        var random = new Random(20261121);
        double[] sizes = [.. Enumerable.Range(4, 24).Select(i => Math.Pow(2, i))];
        double Noise() => 0.94 + 0.12 * random.NextDouble();
        (string Name, SeriesRole Role, Func<double, double> Time)[] ways =
        [
            (Pool, SeriesRole.Ours, _ => 6.1),
            (Lease, SeriesRole.Ours, _ => 7.4),
            ("new byte[]", SeriesRole.Peer, n => n < 85_000 ? 2 + n * 0.024 : 2400 + n * 0.021),
            (Shared, SeriesRole.Peer, n => n <= 1 << 30 ? 11.2 : 0),
            ("Marshal.AllocHGlobal", SeriesRole.Peer, n => n < 1 << 17 ? 34 : 3900),
            ("Marshal.AllocHGlobal + memory pressure", SeriesRole.Peer, n => n < 1 << 17 ? 95 : 4300),
            ("NativeMemory.Alloc", SeriesRole.Peer, n => n < 1 << 17 ? 33 : 3800),
            ("NativeMemory.Alloc + memory pressure", SeriesRole.Peer, n => n < 1 << 17 ? 94 : 4200),
            ("GC.AllocateUninitializedArray<byte>", SeriesRole.Peer,
                n => n < 2048 ? 2 + n * 0.024 : n < 85_000 ? 50 + n * 0.003 : 2300 + n * 0.02),
            ("new byte[], published 2021", SeriesRole.Published, n => n < 85_000 ? 2.2 + n * 0.028 : 4000 + n * 0.021),
            ("ArrayPool<byte>.Shared, published 2021", SeriesRole.Published, _ => 16),
        ];
        var series = ways.Select(w => new Series(w.Name, w.Role, [.. sizes.Select(n => new Point(n, w.Time(n) * Noise()))])).ToArray();
        var rows = sizes.SelectMany((n, i) => series.Take(9).Select(s => Row(n, s.Name, s.Points[i].Y, series[2].Points[i].Y, random)));

        return new Section
        {
            Id = "allocation",
            Title = "Nine ways to allocate a byte buffer",
            Text = "One buffer is allocated and freed, again and again, on one thread. Every power of two from 16 B to 128 MiB; the time "
                + "axis and the size axis are logarithmic.\n\nWhere a line is flat the cost does not depend on the size: the buffer is "
                + "reused. Where it climbs with the size, memory is being zeroed.",
            Charts =
            [
                new Chart
                {
                    Id = "allocation",
                    Title = "Time to allocate and free one buffer",
                    Description = "Pools stay flat; everything that zeroes memory climbs with the size from 1 KiB on.",
                    Kind = ChartKind.Lines,
                    X = new("Buffer size", "B", true),
                    Y = new("Mean time", "ns", true),
                    Series = series,
                    Marks = [new(48 << 10, "L1 48 KiB"), new(2 << 20, "L2 2 MiB"), new(105L << 20, "L3 105 MiB")],
                },
            ],
            Tables = [AllocationTable(rows)],
        };
    }

    private static Table AllocationTable(IEnumerable<object?[]> rows) => new()
    {
        Id = "allocation",
        Title = "Every size and method",
        Note = "Ratio is to new byte[] of the same size.",
        Columns =
        [
            new("Size", ColumnKind.Bytes), new("Method", ColumnKind.Text), new("Mean", ColumnKind.Nanoseconds),
            new("Error", ColumnKind.Nanoseconds), new("StdDev", ColumnKind.Nanoseconds), new("Median", ColumnKind.Nanoseconds),
            new("Ratio", ColumnKind.Number), new("Published mean", ColumnKind.Nanoseconds),
        ],
        Rows = [.. rows],
    };

    private static object?[] Row(double size, string name, double mean, double baseline, Random random) =>
    [
        size, name, mean, mean * 0.02 * random.NextDouble(), mean * 0.03 * random.NextDouble(), mean * 0.99, mean / baseline,
        name == Shared ? 16.0 : null,
    ];

    private static Section LargeArrays()
    {
        string[] sizes = ["100 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB"];
        Series Bars(string name, SeriesRole role, params double[] values) => new(name, role, [.. values.Select((v, i) => new Point(i, v))]);
        (string Name, double Mean, double Gen0, double Gen2, double Allocated)[] ways =
            [
                (Pool, 6.2, 0, 0, 0),
                (Shared, 11.3, 0, 0, 0),
                ("ArrayPool<byte>.Create", 41, 0, 0, 0),
                ("new byte[]", 640_000, 999.02, 999.02, 10_000_024),
            ];
        return new Section
        {
            Id = "large-arrays",
            Title = "Pooling large arrays",
            Text = "Rent and return against new. Collections are counted per 1,000 operations.",
            Charts =
            [
                new Chart
                {
                    Id = "collections",
                    Title = "Generation 2 collections per 1,000 operations",
                    Description = "new starts full collections from 85,000 bytes up; no pool does.",
                    Kind = ChartKind.Bars,
                    X = new("Array size", "", false),
                    Y = new("Collections per 1,000 operations", "", false),
                    Categories = sizes,
                    Series =
                    [
                        Bars(Pool, SeriesRole.Ours, 0, 0, 0, 0, 0, 0),
                        Bars(Shared, SeriesRole.Peer, 0, 0, 0, 0, 0, 0),
                        Bars("ArrayPool<byte>.Create", SeriesRole.Peer, 0, 0, 0, 0, 0, double.NaN),
                        Bars("new byte[]", SeriesRole.Peer, 0, 0, 0, 31.2, 333.4, 999.02),
                    ],
                },
                new Chart
                {
                    Id = "bytes-per-operation",
                    Title = "Bytes allocated per operation at 10 MB",
                    Description = "One bar a method, on a logarithmic axis.",
                    Kind = ChartKind.Bars,
                    X = new("Method", "", false),
                    Y = new("Bytes per operation", "B", true),
                    Categories = [.. ways.Select(w => w.Name)],
                    Series = [new("Allocated", SeriesRole.Peer, [.. ways.Select((w, i) => new Point(i, w.Allocated + i * 900))])],
                },
            ],
            Tables = [LargeArraysTable(ways)],
        };
    }

    private static Table LargeArraysTable((string Name, double Mean, double Gen0, double Gen2, double Allocated)[] ways) => new()
    {
        Id = "large-arrays",
        Title = "10,000,000 bytes",
        Columns =
        [
            new("Method", ColumnKind.Text), new("Size", ColumnKind.Bytes), new("Mean", ColumnKind.Nanoseconds),
            new("Error", ColumnKind.Nanoseconds), new("StdDev", ColumnKind.Nanoseconds), new("Median", ColumnKind.Nanoseconds),
            new("Gen0", ColumnKind.Number), new("Gen1", ColumnKind.Number), new("Gen2", ColumnKind.Number),
            new("Allocated", ColumnKind.Bytes), new("Kept", ColumnKind.YesNo),
        ],
        Rows =
        [
            .. ways.Select(
                w =>
                    new object?[]
                    {
                        w.Name,
                        10_000_000.0,
                        w.Mean,
                        w.Mean * 0.01,
                        w.Mean * 0.02,
                        w.Mean * 0.99,
                        w.Gen0,
                        w.Gen0,
                        w.Gen2,
                        w.Allocated,
                        w.Mean < 1000 ? 1.0 : 0.0,
                    }),
        ],
    };

    private static Section MemoryOverTime()
    {
        var random = new Random(7);
        Series Line(string name, SeriesRole role, Func<double, double> mib) =>
            new(
                name,
                role,
                [
                    .. Enumerable.Range(0, 150)
                        .Select(i => i * 0.2)
                        .Select(t => new Point(t, Math.Max(0, mib(t) + 4 * random.NextDouble()) * (1 << 20))),
                ]);
        return new Section
        {
            Id = "memory",
            Title = "Memory through load and idle",
            Text = "Ten seconds of load with a working set of 300 MiB, then nothing for twenty. What a pool keeps is "
                + "memory that nobody else has.",
            Charts =
            [
                new Chart
                {
                    Id = "memory",
                    Title = "Resident memory over time",
                    Description =
                        "Both grow alike under load; after it Tarn returns to its floor within five seconds, ArrayPool keeps what it has.",
                    Kind = ChartKind.Lines,
                    X = new("Time since start", "s", false),
                    Y = new("Resident", "B", false),
                    Series =
                    [
                        Line(Pool, SeriesRole.Ours, t => t < 10 ? 300 * (1 - Math.Exp(-t)) + 40 : 40 + 300 * Math.Exp(-(t - 10) / 1.2)),
                        Line(Shared, SeriesRole.Peer, t => t < 10 ? 340 * (1 - Math.Exp(-t)) + 40 : 380 - (t > 25 ? 60 : 0)),
                        Line("In use", SeriesRole.Peer, t => t is > 0.5 and < 10 ? 260 : 0),
                    ],
                    Marks = [new(10, "load ends"), new(11.1, "idle timeout"), new(25, "gen-2 collection")],
                },
            ],
        };
    }

    private static Section Threads() => new()
    {
        Id = "threads",
        Title = "Threads against throughput",
        Text = "Every thread rents and returns 4 KiB buffers as fast as it can.",
        Charts =
        [
            new Chart
            {
                Id = "threads",
                Title = "Operations a second, all threads together",
                Description = "Both scale to the number of cores; the distance between them stays.",
                Kind = ChartKind.Lines,
                X = new("Threads", "", true),
                Y = new("Throughput", "op/s", false),
                Series =
                [
                    new(
                        Pool,
                        SeriesRole.Ours,
                        [new(1, 1.6e8), new(2, 3.1e8), new(4, 6.1e8), new(8, 11.8e8), new(16, 11.9e8), new(32, 11.7e8)]),
                    new(
                        Shared,
                        SeriesRole.Peer,
                        [new(1, 0.9e8), new(2, 1.7e8), new(4, 3.3e8), new(8, 6.2e8), new(16, 6.1e8), new(32, 5.6e8)]),
                ],
            },
        ],
        Tables =
        [
            new Table
            {
                Id = "threads",
                Title = "Handed over",
                Columns = [new("Threads", ColumnKind.Number), new(Pool, ColumnKind.Nanoseconds), new(Shared, ColumnKind.Nanoseconds)],
                Rows = [[2.0, 9.1, 166.0], [4.0, 11.4, 180.2], [10.0, 12.0, 240.9], [32.0, null, double.NaN]],
            },
        ],
    };

    /// <summary>Inputs that must not break the page: markup in names, nothing to draw, zero and NaN, a single point.</summary>
    private static Section OddValues() => new()
    {
        Id = "odd/<values>",
        Title = "Odd values & <script>alert('x')</script>",
        Text = "Text with <b>markup</b>, \"quotes\" & ampersands | bars.",
        Charts =
        [
            Odd("nothing", []),
            Odd("zero-and-nan", [
                new(
                    "Zeros <and> NaN",
                    SeriesRole.Ours,
                    [new(16, 0), new(32, double.NaN), new(64, 12), new(128, double.PositiveInfinity), new(256, 14)]),
                new("One point", SeriesRole.Peer, [new(64, 30)]),
                new("Nothing at all", SeriesRole.Peer, []),
            ]),
            Odd("same-value", [new("Flat", SeriesRole.Peer, [new(64, 5), new(128, 5)])]),
        ],
        Tables =
        [
            new Table
            {
                Id = "odd",
                Title = "A \"quoted\" title, with <markup>",
                Note = "Note & more.",
                Columns =
                [
                    new("Name, with comma", ColumnKind.Text),
                    new("Value", ColumnKind.Nanoseconds),
                    new("Kept", ColumnKind.YesNo),
                    new("Size", ColumnKind.Bytes),
                ],
                Rows =
                [
                    ["<img src=x onerror=alert(1)>", 1.5, 1.0, 16.0], ["a,b", double.NaN, 0.0, 100_000.0],
                    ["say \"hi\"", null, null, 1536.0],
                    ["two\nlines", 0.0, 1.0, 0.0], [null, -3.0, double.NaN, 1e12],
                ],
            },
        ],
    };

    private static Chart Odd(string id, IReadOnlyList<Series> series) => new()
    {
        Id = id,
        Title = $"Odd: {id}",
        Description = "A picture of <odd> values.",
        Kind = ChartKind.Lines,
        X = new("Size", "B", true),
        Y = new("Time", "ns", true),
        Series = series,
    };

    private static Change[] Changes()
    {
        Change Make(string id, string title, double before, double now, string unit, ChangeKind kind) =>
            new() { Id = id, Title = title, Before = before, Now = now, Unit = unit, Kind = kind };
        return
        [
            Make("single-1kib", "One buffer of 1 KiB, rented and returned", 0.62, 0.61, "ratio", ChangeKind.NoDifference),
            Make("deep-8", "Eight deep", 0.26, 0.184, "ratio", ChangeKind.Better),
            Make("first-use", "First use of a size on a fresh thread", 1.05, 1.31, "ratio", ChangeKind.Worse),
            Make("handed-over", "Rented on one thread, returned on another", 0, 9.1, "ns", ChangeKind.Added),
            Make("old", "A comparison that is no more", 4096, 0, "B", ChangeKind.Removed),
        ];
    }
}
