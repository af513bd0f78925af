using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>Native blocks allocated and freed at once, one and eight at a time, against every allocator of this system.</summary>
internal sealed class NativePairExperiment : IExperiment
{
    private const string Group = "Native heap, one thread";
    private const double TcmallocTarget = 1.0;
    private const double NativeMemoryTarget = 0.35;
    private const int LargestOfTcmallocTarget = 256 << 10;

    private static readonly int[] s_largeSizes = [1 << 20, 16 << 20, 128 << 20];
    private static readonly int[] s_deepSizes = [16, 100, 1 << 10, 4 << 10, 64 << 10, 256 << 10];
    private static readonly int[] s_constantSizes = [16, 64, 1 << 10];

    public string Id => "native-pair";

    public string Title => "Allocate and free one native block";

    public double QuickSeconds => 19;

    public double FullSeconds => 200;

    /// <summary>Every power of two from 16 B to 256 KiB; every other one in a quick run.</summary>
    public static IEnumerable<int> SmallSizes(bool isFull) =>
        Enumerable.Range(4, 15).Where(power => isFull || power % 2 == 0).Select(static power => 1 << power);

    public ExperimentResult Run(ExperimentContext context)
    {
        IReadOnlyList<NativeContender> contenders = NativeContenders.All;
        using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab pairs" });
        using var uncounted = new NativeHeap(new NativeHeapOptions { Name = "lab pairs without statistics", Statistics = false });
        int[] sizes = [.. SmallSizes(context.IsFull), .. s_largeSizes];
        RoundSettings rounds = context.IsFull ? context.Rounds : context.Rounds with { Rounds = 21 };
        Sweep pairs = Sweep.Run(context.Part(1, 4), rounds, sizes, size => NativeTrials.Pairs(contenders, size));
        Sweep deep = Sweep.Run(context.Part(2, 4), rounds, s_deepSizes, size => NativeTrials.DeepPairs(contenders, size));
        Sweep ways = Sweep.Run(
            context.Part(3, 4), rounds, s_constantSizes, size => NativeTrials.Pairs(CreateWays(size, heap, uncounted), size));
        HeapsAlike alike = HeapsAlike.Measure(context.Part(4, 4));

        return new ExperimentResult(Describe(context, pairs, deep, ways, alike))
        {
            Figures = [.. alike.Figures],
            Comparisons =
            [
                .. pairs.CompareWith(
                    NativeNames.Tcmalloc,
                    "native-pair",
                    Group,
                    TitleOfPair,
                    size => size <= LargestOfTcmallocTarget ? TcmallocTarget : null),
                .. pairs.CompareWith(NativeNames.NativeMemory, "native-pair", Group, TitleOfPair, _ => NativeMemoryTarget),
                .. deep.CompareWith(
                    NativeNames.Tcmalloc, "native-deep", Group, size => $"Eight blocks of {ByteSize.Text(size)}", _ => null),
                .. deep.CompareWith(
                    NativeNames.NativeMemory, "native-deep", Group, size => $"Eight blocks of {ByteSize.Text(size)}", _ => null),
                .. ways.CompareWith(
                    NativeNames.Tcmalloc, "native-constant", Group, size => $"Allocate<T> and free, {ByteSize.Text(size)}", _ => null),
            ],
        };
    }

    private static string TitleOfPair(int size) => $"Allocate and free {ByteSize.Text(size)}";

    /// <summary>Returns our ways to get the same block, first the one whose size the compiler knows, and the fastest peer.</summary>
    private static IEnumerable<NativeContender> CreateWays(int size, NativeHeap heap, NativeHeap uncounted) =>
    [
        size switch
        {
            16 => NativeContender.Of(NativeNames.TarnConstant, default(TarnConstant<Bytes16>)),
            64 => NativeContender.Of(NativeNames.TarnConstant, default(TarnConstant<Bytes64>)),
            _ => NativeContender.Of(NativeNames.TarnConstant, default(TarnConstant<Bytes1024>)),
        },
        NativeContender.Of(NativeNames.TarnHeap, default(TarnHeap)),
        NativeContender.Of(NativeNames.TarnHeapInstance, new TarnHeapInstance(heap)),
        NativeContender.Of(NativeNames.TarnNoStatistics, new TarnNoStatistics(uncounted)),
        NativeContender.Of(NativeNames.TarnBounded, new TarnBounded(heap)),
        NativeContender.Of(NativeNames.TarnUnsized, default(TarnUnsized)),
        .. NativeContenders.Peers.Where(peer => peer.Name == NativeNames.Tcmalloc),
    ];

    private Section Describe(ExperimentContext context, Sweep pairs, Sweep deep, Sweep ways, HeapsAlike alike) => new()
    {
        Id = Id,
        Title = Title,
        Text = "One thread allocates a block and frees it at once, or eight blocks and then frees all eight. The peers are written in C "
            + "and called through function pointers without a switch of GC mode, so that C# does not handicap them; NativeMemory is called "
            + "as every program calls it. Those that have a function for it receive the size on free, as Tarn's heap does. The memory is "
            + "not touched: a program's use of it takes equally long with every allocator. The last table asks how much depends on the "
            + "addresses of a heap's words." + NativePeers.DescribeMissing(),
        Charts =
        [
            pairs.TimeAgainstSize(
                context, "native-pair-time", "One block", "Nanoseconds for one allocation and its free against the size."),
            deep.TimeAgainstSize(context, "native-deep-time", "Eight blocks", "Nanoseconds for each of eight pairs against the size."),
        ],
        Tables =
        [
            pairs.Times("native-pair-times", "One block", "One allocation and its free.", new Column("Size", ColumnKind.Bytes)),
            deep.Times("native-deep-times", "Eight blocks", "One pair out of eight.", new Column("Size", ColumnKind.Bytes)),
            ways.Times(
                "native-ways-times",
                "Tarn's ways",
                $"{NativeNames.TarnConstant} knows the size at compile time. Freed by address, the heap finds a block's size. "
                    + $"{NativeNames.TarnBounded} is the instance, if each free compared the address with the bounds of its regions.",
                new Column("Size", ColumnKind.Bytes)),
            alike.ToTable(),
        ],
    };

    [InlineArray(16)]
    private struct Bytes16
    {
        private byte _first;
    }

    [InlineArray(64)]
    private struct Bytes64
    {
        private byte _first;
    }

    [InlineArray(1_024)]
    private struct Bytes1024
    {
        private byte _first;
    }
}
