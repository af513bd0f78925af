using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>Our copies against the runtime's, by turns in one process.</summary>
internal sealed class CopyComparisons
{
    public const double OneCoreTarget = 1.02;
    public const double SeveralCoresTarget = 1 / 1.7;

    /// <summary>From 16 MiB on, where source and destination no longer fit in a usual largest cache together.</summary>
    public const double TargetBesideTheCache = 0.85;

    /// <summary>From 64 MiB on.</summary>
    public const double TargetBeyondTheCache = 0.70;

    /// <summary>The size from which several cores must pay off.</summary>
    public const int LeastForTarget = 8 << 20;

    private const string Group = "Copies";
    private const int MostOfManyRounds = 16 << 20;
    private const int BesideTheCache = 16 << 20;
    private const int BeyondTheCache = 64 << 20;

    // Long enough for an idle thread to stop looking for work and sleep.
    private static readonly TimeSpan s_rest = TimeSpan.FromMicroseconds(200);

    private static readonly string[] s_contenders =
        [CopyNames.Tarn, CopyNames.TarnSpans, CopyNames.TarnParallel, CopyNames.MemoryCopy, CopyNames.SpanCopy];

    private static readonly int[] s_restedSizes = [512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20];
    private static readonly string[] s_rested = [CopyNames.TarnParallel, CopyNames.MemoryCopy];

    /// <summary>Copies on several cores begin somewhere between these, where they must not lose.</summary>
    private static readonly int[] s_aroundThreshold = [128 << 10, 256 << 10, .. s_restedSizes];

    private readonly Sweep _sweep;
    private readonly Sweep _rested;

    public CopyComparisons(Sweep sweep, Sweep rested)
    {
        _sweep = sweep;
        _rested = rested;
    }

    public static CopyComparisons Measure(ExperimentContext context)
    {
        FrameLoops.Copy.WarmUpCode();
        Sweep sweep = Measure(
            context.Part(1, 2), SizesOf(context.IsFull), s_contenders, (name, loop) => new CompiledLoopTrial(name, loop), context.Rounds);
        Sweep rested = Measure(
            context.Part(2, 2), s_restedSizes, s_rested, (name, loop) => new RestedTrial(name, loop, s_rest), RestedRounds(context.IsFull));
        return new CopyComparisons(sweep, rested);
    }

    public static IReadOnlyList<int> SizesOf(bool isFull) =>
    [
        1, 16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, .. s_aroundThreshold, 16 << 20, 32 << 20, 64 << 20, .. isFull
            ? [128 << 20, 256 << 20, 1 << 30]
            : Array.Empty<int>(),
    ];

    /// <summary>Returns the largest allowed ratio of the copy on one core.</summary>
    public static double TargetOf(int size) =>
        size < BesideTheCache ? OneCoreTarget : size < BeyondTheCache ? TargetBesideTheCache : TargetBeyondTheCache;

    /// <summary>
    /// Returns the largest allowed ratio of the copy on several cores; null where a copy takes only a few nanoseconds, one of which is the
    /// size check.
    /// </summary>
    public static double? ParallelTargetOf(int size, int cores) =>
        size < s_aroundThreshold[0] ? null : size >= LeastForTarget && cores > 1 ? SeveralCoresTarget : OneCoreTarget;

    public IReadOnlyList<Comparison> ToComparisons() =>
    [
        .. Compare(_sweep, CopyNames.Tarn, "copy", "Copy", static size => TargetOf(size)),
        .. Compare(_sweep, CopyNames.TarnSpans, "copy-spans", "Copy of spans", static size => TargetOf(size), CopyNames.SpanCopy),
        .. Compare(
            _sweep,
            CopyNames.TarnParallel,
            "copy-parallel",
            "Copy on several cores",
            size => ParallelTargetOf(size, Environment.ProcessorCount)),
        .. Compare(_rested, CopyNames.TarnParallel, "copy-rested", "Rested copy on several cores", _ => OneCoreTarget),
    ];

    public IReadOnlyList<Table> ToTables() =>
    [
        _sweep.Times(
            "copy-compared-times", "By turns", "One copy; what the comparisons are made of.", new Column("Size", ColumnKind.Bytes)),
        _rested.Times(
            "copy-rested-times",
            "Rested",
            $"One copy after {s_rest.TotalMicroseconds:0} µs of other work.",
            new Column("Size", ColumnKind.Bytes)),
    ];

    private static IEnumerable<Comparison> Compare(
        Sweep sweep, string ours, string id, string title, Func<int, double?> target, string peer = CopyNames.MemoryCopy) =>
        sweep.Points.Zip(sweep.Samples).SelectMany(at => at.Second.CompareWith(
            ours,
            [peer],
            $"{id}-{ByteSize.Id(at.First)}",
            Group,
            $"{title}, {ByteSize.Text(at.First)}",
            _ => target(at.First)));

    private static Sweep Measure(
        ExperimentContext context,
        IReadOnlyList<int> sizes,
        IReadOnlyList<string> names,
        Func<string, Action<int>, Trial> create,
        RoundSettings settings)
    {
        Random random = context.CreateRandom();
        // All copy between the same arrays, the first size too.
        CopyBuffers.AtLeast(sizes.Max());
        var samples = new List<RoundSamples>();
        foreach (int size in sizes)
        {
            samples.Add(PairedRounds.Measure(
                FrameLoops.Copy.TrialsOf(names, size, create), size <= MostOfManyRounds ? settings : LargeRounds(settings), random));
            context.Report((double)samples.Count / sizes.Count);
        }

        return new Sweep(sizes, samples);
    }

    /// <summary>A sample is one copy.</summary>
    private static RoundSettings LargeRounds(RoundSettings settings) => new(Math.Min(settings.Rounds, 31), TimeSpan.FromMilliseconds(1));

    /// <summary>Returns few rounds, because pauses take most of the time.</summary>
    private static RoundSettings RestedRounds(bool isFull) =>
        isFull ? new(101, TimeSpan.FromMilliseconds(2)) : new(21, TimeSpan.FromMilliseconds(1));
}
