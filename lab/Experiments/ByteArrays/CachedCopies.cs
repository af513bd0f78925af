using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Copies;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>
/// Copies that the caches of a core hold, by the runtime and by the loop of <see cref="CachedCopy"/>. Source and destination lie to each
/// other in several ways, because the speed of the C library's copy depends on that on some processors.
/// </summary>
internal sealed unsafe class CachedCopies(Sweep sweep)
{
    private const int Ways = 2;
    private static readonly int[] s_sizes = [1 << 10, 2 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 960 << 10];

    /// <summary>Where the destination begins in its page; the source begins with its own.</summary>
    private static readonly int[] s_places = [0, 16, 48, 64, 512, 1024, 2048, 4000];

    public static CachedCopies Measure(ExperimentContext context)
    {
        using CopyMemory memory = CopyMemory.Create(1 << 20);
        return new CachedCopies(Sweep.Run(
            context,
            new RoundSettings(context.IsFull ? 21 : 9, TimeSpan.FromMilliseconds(1)),
            s_sizes,
            size => [.. s_places.SelectMany(place => TrialsAt(place, memory, size))]));
    }

    public Table ToTable() => new()
    {
        Id = "copy-ways-cached",
        Title = "Copies that the caches of a core hold, GB/s",
        Note = $"The destination begins at {s_places.Length} places of a page, the source at the beginning of one. *Slowest* is the place "
            + "with the least speed. The loop has loads and stores of 32 bytes; streams use it where it was measured to be faster.",
        Columns =
        [
            new Column("Size", ColumnKind.Bytes),
            new Column("Buffer.MemoryCopy, median", ColumnKind.Number),
            new Column("Loop, median", ColumnKind.Number),
            new Column("Buffer.MemoryCopy, slowest", ColumnKind.Number),
            new Column("Loop, slowest", ColumnKind.Number),
            new Column("Streams here use", ColumnKind.Text),
        ],
        Rows = [.. sweep.Points.Zip(sweep.Samples, Row)],
    };

    private static IReadOnlyList<object?> Row(int size, RoundSamples samples)
    {
        double[][] speeds =
        [
            .. Enumerable.Range(0, Ways).Select(way => s_places
                .Select((_, place) => size / samples.Median((place * Ways) + way))
                .Order()
                .ToArray()),
        ];
        return
        [
            (double)size,
            .. speeds.Select(static ofWay => (object?)MedianInterval.Of(ofWay).Median),
            .. speeds.Select(static ofWay => (object?)ofWay[0]),
            CachedCopy.IsFasterFor((nuint)size) ? "the loop" : "the runtime's",
        ];
    }

    /// <summary>The runtime's copy, then the loop.</summary>
    private static Trial[] TrialsAt(int place, CopyMemory memory, int size) =>
    [
        new CopyWayTrial(
            $"{CopyWays.Plain} to {place}",
            (source, destination, count) => Buffer.MemoryCopy(source, destination + place, count, count),
            memory,
            size,
            DestinationRead.None),
        new CopyWayTrial(
            $"loop to {place}",
            (source, destination, count) => CachedCopy.CopyLoop(ref *source, ref destination[place], count, isBackward: false),
            memory,
            size,
            DestinationRead.None),
    ];
}
