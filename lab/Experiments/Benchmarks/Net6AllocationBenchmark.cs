using System.Buffers;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using Tarn.Lab.Contenders;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.Benchmarks;

/// <summary>Allocate and free one byte buffer: the document's seven ways, then ours.</summary>
public unsafe class Net6AllocationBenchmark
{
    // A heap lives as long as the program, but the class is created for every case.
    private static readonly NativeHeap s_pressing = new(new NativeHeapOptions { Name = "lab pressure", AddMemoryPressure = true });

    private byte[]? _kept;

    /// <summary>Every power of two from 16 B to 128 MiB.</summary>
    public static IEnumerable<int> Sizes => Enumerable.Range(4, 24).Select(power => 1 << power);

    [ParamsSource(nameof(Sizes))]
    public int Size { get; set; }

    [GlobalSetup]
    public void Setup() => BenchmarkRun.CaseStarted();

    [Benchmark(Baseline = true, Description = Net6Allocation.New)]
    public void New() => _kept = new byte[Size];

    [Benchmark(Description = Net6Allocation.Pool)]
    public void Pool() => ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(Size));

    [Benchmark(Description = Net6Allocation.Marshal)]
    public void HGlobal() => Marshal.FreeHGlobal(Marshal.AllocHGlobal(Size));

    [Benchmark(Description = Net6Allocation.MarshalPressure)]
    public void HGlobalWithPressure()
    {
        nint block = Marshal.AllocHGlobal(Size);
        GC.AddMemoryPressure(Size);
        Marshal.FreeHGlobal(block);
        GC.RemoveMemoryPressure(Size);
    }

    [Benchmark(Description = Net6Allocation.Native)]
    public void Native() => NativeMemory.Free(NativeMemory.Alloc((nuint)Size));

    [Benchmark(Description = Net6Allocation.NativePressure)]
    public void NativeWithPressure()
    {
        void* block = NativeMemory.Alloc((nuint)Size);
        GC.AddMemoryPressure(Size);
        NativeMemory.Free(block);
        GC.RemoveMemoryPressure(Size);
    }

    [Benchmark(Description = NativeNames.TarnHeap)]
    public void TarnHeap() => NativeHeap.Shared.Free(NativeHeap.Shared.Allocate((nuint)Size), (nuint)Size);

    [Benchmark(Description = NativeNames.TarnPressure)]
    public void TarnHeapWithPressure() => s_pressing.Free(s_pressing.Allocate((nuint)Size), (nuint)Size);

    [Benchmark(Description = Net6Allocation.Uninitialized)]
    public void Uninitialized() => _kept = GC.AllocateUninitializedArray<byte>(Size);

    [Benchmark(Description = PoolNames.TarnShared)]
    public void TarnPool() => BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(Size));

    [Benchmark(Description = PoolNames.TarnLease)]
    public void TarnLease()
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(Size);
    }
}
