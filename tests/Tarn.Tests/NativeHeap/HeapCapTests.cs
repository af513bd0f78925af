using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The cap on idle bytes: thread caches, slabs and large buffers counted, and never passed.</summary>
[Collection(Alone.Name)]
public sealed unsafe class HeapCapTests : HeapWithManualClock
{
    [Theory]
    [InlineData(0)]
    [InlineData(64 << 10)]
    [InlineData(1 << 20)]
    [InlineData(16 << 20)]
    public void Idle_bytes_never_pass_the_cap_however_many_threads_free(int cap)
    {
        NativeHeap heap = Create(cap);
        using Worker first = new();
        using Worker second = new();
        foreach (nuint size in (nuint[])[8, 100, 1000, 20_000, 262_144, 1 << 20])
        {
            int count = (int)Math.Clamp((24 << 20) / size, 8, 20_000);
            nint[] mine = Allocate(heap, size, count);
            nint[] theirs = second.Run(() => Allocate(heap, size, count));
            first.Run(() => Free(heap, size, mine));
            AssertWithinCap(ownersHold: (long)count * (long)size);
            Free(heap, size, theirs);
            AssertWithinCap(ownersHold: 0);
            second.Run(() => AllocateAndFree(heap, size, count));
            AssertWithinCap(ownersHold: 0);
        }

        void AssertWithinCap(long ownersHold)
        {
            // Free blocks beside blocks in use cannot be given back; those of a slab or two beside blocks in caches are not worth it.
            Assert.InRange(heap.Core.Budget.Granted, 0, cap);
            Assert.InRange(heap.GetStatistics().RetainedBytes, 0, cap + ownersHold + (3 << 20));
            heap.Validate();
        }
    }

    [Fact]
    public void A_buffer_larger_than_the_cap_is_given_back_at_once()
    {
        NativeHeap heap = Create(cap: 1 << 20);
        void* large = heap.Allocate(8 << 20);
        *(byte*)large = 1;
        heap.Free(large, 8 << 20);
        Assert.InRange(heap.GetStatistics().RetainedBytes, 0, 1 << 20);
        Assert.InRange((long)_memory.CommittedBytes, 0, 2 << 20);
    }

    [Fact]
    public void Idle_bytes_stay_within_the_cap_in_whatever_order_blocks_come_back()
    {
        // The few blocks that caches keep lie in as many slabs as there are: nothing is in use, so the rest of these is idle.
        const long cap = 1 << 20;
        NativeHeap heap = Create(cap);
        nint[] blocks = Allocate(heap, 64, 1 << 20);
        new Random(1).Shuffle(blocks);
        Free(heap, 64, blocks);
        Assert.InRange(heap.GetStatistics().RetainedBytes, 0, 2 * cap);
    }

    [Fact]
    public void What_is_counted_is_what_the_system_was_asked_for()
    {
        NativeHeap heap = Create();
        List<(nint Address, nuint Size)> live = [];
        Random random = new(3);
        for (int i = 0; i < 5000; i++)
        {
            if (live.Count > 0 && random.Next(5) < 2)
            {
                (nint address, nuint size) = live[^1];
                live.RemoveAt(live.Count - 1);
                heap.Free((void*)address, size);
            }
            else
            {
                nuint size = (nuint)random.Next(1, i % 100 == 0 ? 2 << 20 : 5000);
                live.Add(((nint)heap.Allocate(size), size));
            }

            if (i % 100 == 0)
            {
                AssertSame();
            }
        }

        live.ForEach(block => heap.Free((void*)block.Address, block.Size));
        AssertSame();
        heap.Trim();
        AssertSame();
        AssertNothingKept(heap);

        void AssertSame()
        {
            NativeHeapStatistics now = heap.GetStatistics();
            Assert.Equal(((long)_memory.CommittedBytes, (long)_memory.ReservedBytes), (now.CommittedBytes, now.ReservedBytes));
        }
    }

    [Fact]
    public void Blocks_handed_out_are_counted_once_each_however_magazines_grow()
    {
        NativeHeap heap = Create();
        long expected = 0;
        foreach (nuint size in (nuint[])[8, 100, 1000, 100_000, 1 << 20])
        {
            foreach (int count in (int[])[1, 20, 40, 100, 300])
            {
                AllocateAndFree(heap, size, count);
                expected += count;
                Assert.Equal((expected, 0), (heap.Core.Count().Rented, heap.Core.Count().InUseBlocks));
            }
        }

        heap.Trim();
        Assert.Equal(expected, heap.Core.Count().Rented);
    }

    [Fact]
    public void The_default_cap_is_a_share_of_the_memory_there_is()
    {
        NativeHeap heap = Create(cap: null);
        AllocateAndFree(heap, 1 << 20, 8);
        Assert.InRange(heap.GetStatistics().RetainedBytes, Math.Min(8 << 20, MemoryPressure.DefaultRetainedBytes - (1 << 20)), MemoryPressure.DefaultRetainedBytes);
    }
}
