using BenchmarkDotNet.Attributes;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Benchmarks;
using Tarn.Lab.Measurement;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Five streams filled and read back: the document's parameters and streams, ours, and sizes below the document's.</summary>
[MemoryDiagnoser]
public class StreamGrowthBenchmark
{
    // The class is created for every case, but the half gigabyte to fill streams from is not.
    private static readonly StreamBuffers s_buffers = new();

    private static readonly int[] s_pieces = [DynamicGrowth.Segment, StreamShape.Whole];
    private static readonly bool[] s_settings = [false, true];

    private IWork _round = default(EmptyWork);
    private List<IWork>? _warmUp;

    public static IEnumerable<int> Sizes => [256, 1 << 10, 4 << 10, 16 << 10, .. DynamicGrowth.Sizes];

    public static IEnumerable<string> Streams => StreamContenders.Names;

    [ParamsSource(nameof(Sizes))]
    public int DataSize { get; set; }

    [Params(false, true)]
    public bool Segmented { get; set; }

    [Params(false, true)]
    public bool CapacityOnCreate { get; set; }

    [Params(false, true)]
    public bool ZeroBuffers { get; set; }

    [Params(false, true)]
    public bool GrowEachLoop { get; set; }

    [ParamsSource(nameof(Streams))]
    public string Stream { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        var shape = new StreamShape(
            DataSize, Segmented ? DynamicGrowth.Segment : StreamShape.Whole, GrowEachLoop ? DynamicGrowth.GrowthOf(DataSize) : 0);
        int contender = StreamContenders.Names.ToList().IndexOf(Stream);
        _round = StreamTrials.Work(StreamContenders.Create(CapacityOnCreate, ZeroBuffers)[contender], shape, s_buffers);
        BenchmarkRun.CaseStarted();
    }

    [Benchmark]
    public void Round() => _round.Once();

    /// <summary>As in the document, the next case does not find this one's pools.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _round = default(EmptyWork);
        StreamPeers.Release();
        BufferPool<byte>.Shared.Trim();
        GC.Collect();
    }

    /// <summary>Small rounds of every stream with every setting, which run the code that large ones do.</summary>
    internal void WarmUp()
    {
        _warmUp ??=
        [
            .. from piece in s_pieces
               from isSizeKnown in s_settings
               from zeroed in s_settings
               from contender in StreamContenders.Create(isSizeKnown, zeroed)
               select StreamTrials.Work(contender, new StreamShape(6 << 10, piece), s_buffers),
        ];
        foreach (IWork round in _warmUp)
        {
            round.Once();
        }
    }
}
