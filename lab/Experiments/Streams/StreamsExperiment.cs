using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>The pooled stream against the BCL's, against those of others, and against the two copies that any stream makes.</summary>
internal sealed class StreamsExperiment : IExperiment
{
    private const int LeastParallel = 1 << 20;
    private const int WarmUpPasses = 4;
    private static readonly int[] s_small = [256, 1 << 10, 4 << 10, 16 << 10];
    private static readonly int[] s_middle = [128 << 10, 960 << 10, 16 << 20];
    private static readonly int[] s_large = [96 << 20, 200 << 20];

    public static IReadOnlyList<StreamSeries> AllSeries { get; } =
    [
        new("bulk", "one write", StreamShape.Whole, [.. s_small, .. s_middle], [.. s_small, .. s_middle, .. s_large]),
        new("4kib", "writes of 4 KiB", 4 << 10, [16 << 10, .. s_middle], [16 << 10, .. s_middle, .. s_large]),
        new("100b", "writes of 100 B", 100, [1 << 10, 16 << 10, 128 << 10], [.. s_small, .. s_middle]),
        new("byte", "single bytes", 1, [1 << 10, 16 << 10], [.. s_small, 128 << 10, 960 << 10]),
    ];

    public string Id => "streams";

    public string Title => "Streams: create, write, read, dispose";

    public double QuickSeconds => 18;

    public double FullSeconds => 480;

    public ExperimentResult Run(ExperimentContext context)
    {
        using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab streams" });
        var buffers = new StreamBuffers();
        WarmUp.Run([.. WarmUpTrials(heap)], WarmUpPasses);
        var samples = new List<StreamSamples>();
        foreach (StreamSeries series in AllSeries)
        {
            samples.Add(Measure(context.Part(samples.Count + 1, AllSeries.Count + 1), series, heap, buffers));
        }

        StreamAllocations allocated = StreamAllocations.Measure(context.Part(AllSeries.Count + 1, AllSeries.Count + 1));
        StreamPeers.Release();
        return new ExperimentResult(Describe(context, samples, allocated))
        {
            Comparisons = [.. samples.SelectMany(StreamComparisons.Of)],
            Figures = allocated.ToFigures(),
        };
    }

    /// <summary>Returns the contenders at one size, ours first.</summary>
    internal static IReadOnlyList<StreamContender> ContendersAt(StreamSeries series, int size, NativeHeap heap)
    {
        List<StreamContender> contenders = [.. StreamContenders.Create()];
        if (series.IsCopied)
        {
            contenders.Add(StreamContender.Of(StreamNames.TarnNative, new TarnStreamWith(new PooledMemoryStreamOptions { Heap = heap })));
            contenders.AddRange(StreamContenders.Create(isSizeKnown: true));
        }

        if (series.IsWhole && size >= LeastParallel)
        {
            contenders.Add(
                StreamContender.Of(
                    StreamNames.TarnParallel, new TarnStreamWith(new PooledMemoryStreamOptions { ParallelCopyThreshold = LeastParallel })));
        }

        return contenders;
    }

    private static StreamSamples Measure(ExperimentContext context, StreamSeries series, NativeHeap heap, StreamBuffers buffers)
    {
        Random random = context.CreateRandom();
        IReadOnlyList<int> sizes = series.SizesOf(context);
        var samples = new List<RoundSamples>();
        foreach (int size in sizes)
        {
            samples.Add(PairedRounds.Measure(CreateTrials(series, size, heap, buffers), RoundsOf(context, size), random));
            context.Report((double)samples.Count / sizes.Count);
        }

        return new StreamSamples(series, sizes, samples);
    }

    private static List<Trial> CreateTrials(StreamSeries series, int size, NativeHeap heap, StreamBuffers buffers)
    {
        StreamShape shape = series.ShapeOf(size);
        List<Trial> trials = [.. ContendersAt(series, size, heap).Select(contender => StreamTrials.Round(contender, shape, buffers))];
        if (series.IsCopied)
        {
            trials.Add(StreamTrials.Floor(shape, buffers));
        }

        return trials;
    }

    /// <summary>Every contender's code at sizes that take microseconds: it is the same code at the others.</summary>
    private static IEnumerable<Trial> WarmUpTrials(NativeHeap heap)
    {
        var buffers = new StreamBuffers();
        return AllSeries.SelectMany(series => new[] { 1 << 10, 16 << 10 }.Concat(series.IsWhole ? [2 << 20] : Array.Empty<int>())
            .SelectMany(size => CreateTrials(series, size, heap, buffers)));
    }

    /// <summary>Returns fewer rounds for long operations. From 16 MiB on, a sample is one operation.</summary>
    private static RoundSettings RoundsOf(ExperimentContext context, int size) => size switch
    {
        <= 16 << 10 => context.IsFull ? new(201, TimeSpan.FromMilliseconds(4)) : new(21, TimeSpan.FromMilliseconds(1.5)),
        <= 960 << 10 => context.IsFull ? new(101, TimeSpan.FromMilliseconds(6)) : new(15, TimeSpan.FromMilliseconds(2)),
        <= 16 << 20 => context.IsFull ? new(61, TimeSpan.FromMilliseconds(1)) : new(7, TimeSpan.FromMilliseconds(1)),
        _ => new(21, TimeSpan.FromMilliseconds(1)),
    };

    private Section Describe(ExperimentContext context, IReadOnlyList<StreamSamples> samples, StreamAllocations allocated) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A stream is created, written, set back, read and disposed, five times: at once, or with calls of 4 KiB, 100 B or a byte. "
            + "Reads use calls of the same size as writes. Two copies is not a stream: the runtime copies the same bytes to a kept "
            + "buffer and back. Native heap keeps the contents outside the collector's memory, parallel copy uses all "
            + $"cores from {ByteSize.Text(LeastParallel)} up, and size known means that the constructor receives the size. Pools are warm, "
            + "as in a running program. "
            + (context.IsFull ? "" : $"A quick run leaves out {string.Join(" and ", s_large.Select(size => ByteSize.Text(size)))}. ")
            + StreamPeers.DescribeMissing().TrimStart(),
        Charts = [.. samples.Select(some => some.ToChart(context))],
        Tables = [.. samples.Select(some => some.ToTable()), allocated.ToTable()],
    };
}
