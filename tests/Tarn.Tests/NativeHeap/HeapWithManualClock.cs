using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The base of tests of heaps with their own clock and operating system.</summary>
public abstract unsafe class HeapWithManualClock : IDisposable
{
    private protected static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    /// <summary>Ticks only when told to: a tick after a collection would discard memory beside a test.</summary>
    private protected readonly ManualClock _clock = new(followsCollections: false);
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

    /// <summary>
    /// Verifies that nothing is idle: committed memory serves blocks in use, or the heap itself. Of a thread that lives and has not called
    /// the heap since, one block of each size it used may be left, and with it the rest of a slab.
    /// </summary>
    private protected static void AssertNothingKept(NativeHeap heap, int sizesOfLivingThreads = 0)
    {
        NativeHeapStatistics now = heap.GetStatistics();
        Assert.InRange(now.RetainedBytes, 0, sizesOfLivingThreads * (1L << 20));
        Assert.InRange(heap.Core.Budget.Granted, 0, sizesOfLivingThreads * (1L << 20));
        Assert.InRange(now.CommittedBytes, now.InUseBytes, now.InUseBytes + ((sizesOfLivingThreads + 1) * (1L << 20)));
        if (sizesOfLivingThreads == 0)
        {
            Assert.All(heap.CountByClass(), static counted => Assert.Equal(0, counted.RetainedBlocks));
        }

        heap.Validate();
    }
}
