using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>What tests of heaps with a clock and an operating system of their own share.</summary>
public abstract unsafe class HeapWithManualClock : IDisposable
{
    private protected static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    private protected readonly ManualClock _clock = new();
    private protected readonly FailingMemory _memory = new() { DecommittedMemoryFaults = true };
    private readonly List<NativeHeap> _heaps = [];

    /// <summary>Every heap ends, and then nothing of it is left.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        _heaps.ForEach(static heap => heap.Dispose());
        _memory.AssertNothingLeaks();
    }

    private protected NativeHeap Create(long? cap = 1 << 30, TimeSpan? idle = null) => Create(Options(cap, idle));

    private protected NativeHeap Create(NativeHeapOptions options)
    {
        NativeHeap heap = new(options);
        _heaps.Add(heap);
        return heap;
    }

    private protected NativeHeapOptions Options(long? cap = 1 << 30, TimeSpan? idle = null) => new()
    {
        MaxRetainedBytes = cap,
        IdleTimeout = idle ?? s_idle,
        Checks = BufferChecks.None,
        Clock = _clock.Trim,
        Memory = _memory,
    };

    private protected static nint[] Allocate(NativeHeap heap, nuint size, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => (nint)heap.Allocate(size))];

    private protected static void Free(NativeHeap heap, nuint size, nint[] blocks) =>
        Array.ForEach(blocks, block => heap.Free((void*)block, size));

    private protected static void AllocateAndFree(NativeHeap heap, nuint size, int count) => Free(heap, size, Allocate(heap, size, count));

    /// <summary>Nothing is idle: what is committed serves blocks in use, or the heap itself.</summary>
    private protected void AssertNothingKept(NativeHeap heap)
    {
        NativeHeapStatistics now = heap.GetStatistics();
        Assert.Equal(0, now.RetainedBytes);
        Assert.All(heap.GetSizeClassStatistics(), static counted => Assert.Equal(0, counted.RetainedBlocks));
        Assert.InRange(now.CommittedBytes, now.InUseBytes, now.InUseBytes + (1 << 20));
    }
}
