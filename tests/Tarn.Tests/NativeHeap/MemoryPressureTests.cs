using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that reports its memory to the garbage collector causes collections.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class MemoryPressureTests
{
    [Fact]
    public void The_collector_collects_for_native_memory_that_is_reported_to_it()
    {
        // Not at once: for a while after a long collection, pressure starts no other.
        Eventually.True(
            static () => CollectionsFor(addMemoryPressure: false) < CollectionsFor(addMemoryPressure: true),
            "the collector collects more often for a heap that reports its memory");
    }

    /// <summary>Allocates and touches nothing of gigabytes, in small blocks and in large ones.</summary>
    private static int CollectionsFor(bool addMemoryPressure)
    {
        using NativeHeap heap = new(new NativeHeapOptions { AddMemoryPressure = addMemoryPressure, Checks = BufferChecks.None });
        int before = GC.CollectionCount(0);
        for (int i = 0; i < 1000; i++)
        {
            heap.Allocate(2 << 20);
            heap.Allocate(200_000);
        }

        return GC.CollectionCount(0) - before;
    }
}
