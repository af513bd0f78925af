using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// The same work on many heaps of one process. Only the addresses of their words differ, so a heap that is slower than the others is slow
/// because of its addresses.
/// </summary>
internal sealed class HeapsAlike(RoundSamples pairs, RoundSamples deep)
{
    private const int Heaps = 96;
    private const int Size = 1 << 10;

    /// <summary>The figures of single pairs and of eight.</summary>
    public IEnumerable<Figure> Figures =>
    [
        FigureOf("native-pair-alike", "single pairs", pairs),
        FigureOf("native-pair-alike-deep", "eight blocks", deep),
    ];

    public static HeapsAlike Measure(ExperimentContext context)
    {
        NativeHeap[] heaps =
        [
            .. Enumerable.Range(1, Heaps).Select(number => new NativeHeap(new NativeHeapOptions { Name = $"lab heap {number}" })),
        ];
        try
        {
            NativeContender[] contenders =
            [
                .. heaps.Select(heap => NativeContender.Of(heap.Name, new TarnHeapInstance(heap))),
            ];
            RoundSettings settings = new(context.IsFull ? 101 : 15, TimeSpan.FromMilliseconds(0.5));
            return new HeapsAlike(
                Measure(NativeTrials.Pairs(contenders, Size), settings, context),
                Measure(NativeTrials.DeepPairs(contenders, Size), settings, context));
        }
        finally
        {
            Array.ForEach(heaps, static heap => heap.Dispose());
        }
    }

    public Table ToTable() => new()
    {
        Id = "native-alike-times",
        Title = $"{Heaps} heaps of one process",
        Note = $"A pair of {ByteSize.Text(Size)} in heaps that differ only in the addresses of their words, each beside the median heap.",
        Columns =
        [
            new Column("Work", ColumnKind.Text),
            new Column("Median heap", ColumnKind.Nanoseconds),
            new Column("Ninth decile", ColumnKind.Number),
            new Column("Slowest", ColumnKind.Number),
        ],
        Rows = [RowOf("One block", pairs), RowOf("Eight blocks", deep)],
    };

    private static RoundSamples Measure(IReadOnlyList<Trial> trials, RoundSettings settings, ExperimentContext context)
    {
        WarmUp.Run([.. trials.Take(1)]);
        return PairedRounds.Measure(trials, settings, context.CreateRandom());
    }

    private static Figure FigureOf(string id, string work, RoundSamples samples) => new()
    {
        Id = id,
        Title = $"The slowest of {Heaps} heaps of one process beside the median one, {work} of {ByteSize.Text(Size)}",
        Value = Ratios(samples)[^1],
        Unit = "",
    };

    private static IReadOnlyList<object?> RowOf(string work, RoundSamples samples)
    {
        double[] ratios = Ratios(samples);
        return [work, samples.Median(MedianOf(samples)), ratios[ratios.Length * 9 / 10], ratios[^1]];
    }

    /// <summary>The heaps' times divided by the median heap's in the same rounds, in ascending order.</summary>
    private static double[] Ratios(RoundSamples samples)
    {
        int median = MedianOf(samples);
        return [.. Enumerable.Range(0, samples.Contenders.Count).Select(heap => samples.Ratio(heap, median).Median).Order()];
    }

    private static int MedianOf(RoundSamples samples) =>
        Enumerable.Range(0, samples.Contenders.Count).OrderBy(samples.Median).ElementAt(samples.Contenders.Count / 2);
}
