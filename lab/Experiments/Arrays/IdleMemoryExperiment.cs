using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Memory through a load and the quiet after it.</summary>
internal sealed class IdleMemoryExperiment : IExperiment
{
    private const int Threads = 4;
    private const long LoadBytes = 400L << 20;

    private const string CollectionSwitch = "Tarn.IdleCollection";

    public string Id => "idle";

    public string Title => "Memory through load and idle";

    public double QuickSeconds => 15;

    public double FullSeconds => 55;

    public ExperimentResult Run(ExperimentContext context)
    {
        TimeSpan idleTimeout = TimeSpan.FromSeconds(context.IsFull ? 5 : 1.5);
        TimeSpan load = TimeSpan.FromSeconds(context.IsFull ? 6 : 2);
        TimeSpan idle = idleTimeout * 3.2;
        double samples = 2 * (load + idle).TotalSeconds * 10;
        int taken = 0;
        void OnSample() => context.Report(Math.Min(1, ++taken / samples));

        var pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "lab idle", IdleTimeout = idleTimeout });
        bool collects = AppContext.TryGetSwitch(CollectionSwitch, out bool isOn) && isOn;
        AppContext.SetSwitch(CollectionSwitch, true);
        Course ours =
            Measure(new TarnInstance(pool), () => pool.GetStatistics().RetainedBytes, context.CreateRandom(), load, idle, OnSample);
        AppContext.SetSwitch(CollectionSwitch, collects);
        Course peer = Measure(default(BclShared), () => 0, context.CreateRandom(), load, idle, OnSample);

        MemorySample settled = ours.Samples.First(sample => sample.Seconds >= ours.IdleFrom + (2 * idleTimeout.TotalSeconds));
        return new ExperimentResult(Describe(idleTimeout, ours, peer, settled))
        {
            Figures =
            [
                new Figure
                {
                    Id = "idle-retained",
                    Title = "Retained after twice the idle timeout, share of the peak in use",
                    Value = settled.RetainedBytes / (double)ours.Samples.Max(sample => sample.InUseBytes),
                    Unit = "",
                    Bound = 0,
                },
                new Figure
                {
                    Id = "idle-resident",
                    Title = "Resident at the end, ours",
                    Value = ours.Samples[^1].ResidentBytes,
                    Unit = "B",
                },
                new Figure
                {
                    Id = "idle-resident-arraypool",
                    Title = "Resident at the end, ArrayPool.Shared",
                    Value = peer.Samples[^1].ResidentBytes,
                    Unit = "B",
                },
            ],
        };
    }

    private static Course Measure<TPool>(
        TPool pool, Func<long> readRetained, Random random, TimeSpan load, TimeSpan idle, Action onSample)
        where TPool : struct, IBytePool
    {
        // Both start from the smallest heap of this process. From here on, only the pools force a collection.
        GC.Collect(2, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        using var work = new MemoryLoad<TPool>(pool, Threads, LoadBytes, random);
        var sampler = new MemorySampler(() => work.InUseBytes, readRetained);
        sampler.SampleFor(load, onSample);
        work.Stop();
        double idleFrom = sampler.Seconds;
        sampler.SampleFor(idle, onSample);
        sampler.Sample();
        return new Course(sampler.Samples, idleFrom);
    }

    private Section Describe(TimeSpan idleTimeout, Course ours, Course peer, MemorySample settled) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"{Threads} threads rent buffers of 1 KiB to 1 MiB until {ByteSize.Text(LoadBytes)} are in use, write and return them, "
            + "repeatedly; then they stay alive and idle, as a server's threads do. Tarn's pool gives up idle "
            + $"buffers after {idleTimeout.TotalSeconds:0.#} s, here as a separate instance, and Tarn.IdleCollection is set, which "
            + "collects when the pool has let go. Retained memory is the memory that the pool could hand out. Managed memory falls when "
            + "the collector next runs, and resident memory when the runtime returns OS pages to the system.",
        Charts =
        [
            OverTime("idle-resident-chart", "Resident memory", "The process's resident memory through load and idle.",
                new Series(PoolNames.TarnInstance, SeriesRole.Ours, ours.Points(sample => sample.ResidentBytes)),
                new Series(PoolNames.BclShared, SeriesRole.Peer, peer.Points(sample => sample.ResidentBytes))),
            OverTime("idle-managed-chart", "Managed heap", "The managed heap through load and idle.",
                new Series(PoolNames.TarnInstance, SeriesRole.Ours, ours.Points(sample => sample.ManagedBytes)),
                new Series(PoolNames.BclShared, SeriesRole.Peer, peer.Points(sample => sample.ManagedBytes))),
            OverTime("idle-retained-chart", "In use and retained, our pool", "Bytes rented and bytes kept for later through load and idle.",
                new Series("Retained", SeriesRole.Ours, ours.Points(sample => sample.RetainedBytes)),
                new Series("In use", SeriesRole.Peer, ours.Points(sample => sample.InUseBytes))),
        ],
        Tables =
        [
            new Table
            {
                Id = "idle-moments",
                Title = "Moments",
                Note = "ArrayPool.Shared does not report its retained bytes.",
                Columns =
                [
                    new Column("Moment", ColumnKind.Text),
                    new Column("Retained", ColumnKind.Bytes),
                    new Column("Managed", ColumnKind.Bytes),
                    new Column("Resident", ColumnKind.Bytes),
                    new Column("Collections so far", ColumnKind.Number),
                ],
                Rows =
                [
                    Row("Ours, load ends", ours.LoadEnd, ours, tellsRetained: true),
                    Row($"Ours, {2 * idleTimeout.TotalSeconds:0.#} s later", settled, ours, tellsRetained: true),
                    Row("Ours, at the end", ours.Samples[^1], ours, tellsRetained: true),
                    Row("ArrayPool.Shared, load ends", peer.LoadEnd, peer, tellsRetained: false),
                    Row("ArrayPool.Shared, at the end", peer.Samples[^1], peer, tellsRetained: false),
                ],
            },
        ],
    };

    private static IReadOnlyList<object?> Row(string moment, MemorySample sample, Course course, bool tellsRetained) =>
    [
        moment,
        tellsRetained ? (double)sample.RetainedBytes : null,
        (double)sample.ManagedBytes,
        (double)sample.ResidentBytes,
        (double)(sample.Collections - course.Samples[0].Collections),
    ];

    private static Chart OverTime(string id, string title, string description, params Series[] series) => new()
    {
        Id = id,
        Title = title,
        Description = description,
        Kind = ChartKind.Lines,
        X = new Axis("Time", "s", Logarithmic: false),
        Y = new Axis("Memory", "B", Logarithmic: false),
        Series = series,
    };

    /// <summary>One pool's samples, and when its load ended.</summary>
    private sealed record Course(List<MemorySample> Samples, double IdleFrom)
    {
        public MemorySample LoadEnd => Samples.First(sample => sample.Seconds >= IdleFrom);

        public IReadOnlyList<Point> Points(Func<MemorySample, double> value) =>
            [.. Samples.Select(sample => new Point(sample.Seconds, value(sample)))];
    }
}
