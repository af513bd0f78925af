using System.Buffers;
using BenchmarkDotNet.Attributes;
using Tarn.Lab.Contenders;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>The document's three ways to get a possibly large array, then ours.</summary>
[MemoryDiagnoser]
public class LargeArraysBenchmark
{
    private byte[]? _kept;
    private ArrayPool<byte> _sized = ArrayPool<byte>.Shared;

    public static IEnumerable<int> Sizes => [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

    [ParamsSource(nameof(Sizes))]
    public int Size { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _sized = ArrayPool<byte>.Create(Size + 1, 10);
        BenchmarkRun.CaseStarted();
    }

    [Benchmark(Baseline = true, Description = LargeArrays.New)]
    public void New() => _kept = new byte[Size];

    [Benchmark(Description = LargeArrays.Shared)]
    public void Shared() => ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(Size));

    [Benchmark(Description = LargeArrays.Sized)]
    public void Sized() => _sized.Return(_sized.Rent(Size));

    [Benchmark(Description = PoolNames.TarnShared)]
    public void Tarn() => BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(Size));
}
