using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The cap on idle bytes: thread caches, slabs and large buffers counted, and never passed.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
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
            // Free blocks beside blocks in use cannot be given back.
            Assert.InRange(heap.Core.Budget.Granted, 0, cap + RestOf(heap));
            Assert.InRange(heap.GetStatistics().RetainedBytes, 0, cap + ownersHold + RestOf(heap));
            heap.Validate();
        }
    }

    public static TheoryData<long, BufferChecks> Caps
    {
        get
        {
            TheoryData<long, BufferChecks> caps = [];
            foreach (long cap in (long[])[0, 64 << 10, 100_000, 1 << 20, 16 << 20])
            {
                caps.Add(cap, BufferChecks.None);
                caps.Add(cap, BufferChecks.All);
            }

            return caps;
        }
    }

    /// <summary>Not one byte more, slabs counted whole, and without waiting for the clock.</summary>
    [Theory]
    [MemberData(nameof(Caps))]
    public void With_nothing_in_use_no_more_is_committed_than_the_cap(long cap, BufferChecks checks)
    {
        int seeds = checks == BufferChecks.None ? 6 : 2;
        for (int seed = 1; seed <= (StressLength.IsLong ? seeds : seeds / 2); seed++)
        {
            NativeHeap heap = Create(new NativeHeapOptions(Options(cap)) { Checks = checks });
            Random random = new(seed);
            for (int storm = 0; storm < 3; storm++)
            {
                Storm(heap, random, checks == BufferChecks.None ? 6000 : 1000);
                AssertKept(heap, cap);
            }
        }
    }

    /// <summary>
    /// Of threads that live on without calling, one block of each size with its slab stays beyond the cap's reach.
    /// </summary>
    [Theory]
    [InlineData(0)]
    [InlineData(64 << 10)]
    [InlineData(100_000)]
    [InlineData(1 << 20)]
    [InlineData(16 << 20)]
    public void With_threads_that_sleep_only_a_block_of_each_size_with_its_slab_comes_on_top(long cap)
    {
        NativeHeap heap = Create(cap);
        using Worker first = new();
        using Worker second = new();
        Random random = new(7);
        for (int storm = 0; storm < 3; storm++)
        {
            List<(nint Block, nuint Size)> mine = Fill(heap, random, 3000);
            List<(nint Block, nuint Size)> theirs = first.Run(() => Fill(heap, random, 3000));
            second.Run(() => Storm(heap, random, 3000));
            first.Run(() => FreeAll(heap, mine, random));
            second.Run(() => FreeAll(heap, theirs, random));
            Storm(heap, random, 100);
            AssertKept(heap, cap + RestOf(heap));
        }
    }

    /// <summary>The slabs that the caches of sleeping threads can hold, beyond the one granted to a class for them.</summary>
    private static long RestOf(NativeHeap heap) => heap.Core.GetSections()
        .SelectMany(static section => section.Classes).Where(static cache => cache is { IsRest: true })
        .GroupBy(static cache => cache!.Shared).Sum(static rests => (rests.Count() - 1) * rests.Key.SlabBytes);

    private static void AssertKept(NativeHeap heap, long most)
    {
        NativeHeapStatistics now = heap.GetStatistics();
        Assert.Equal((0, 0), (now.InUseBytes, now.InUseBlocks));
        Assert.InRange(now.CommittedBytes, 0, most);
        Assert.InRange(now.RetainedBytes, 0, most);
        heap.Validate();
    }

    private static void Storm(NativeHeap heap, Random random, int count) => FreeAll(heap, Fill(heap, random, count), random);

    private static List<(nint Block, nuint Size)> Fill(NativeHeap heap, Random random, int count)
    {
        List<(nint Block, nuint Size)> live = [];
        for (int i = 0; i < count; i++)
        {
            nuint size = (nuint)(4 * Math.Pow(2, random.NextDouble() * (random.Next(100) == 0 ? 19 : 14)));
            live.Add(((nint)heap.Allocate(size), size));
            if (random.Next(3) == 0)
            {
                int index = random.Next(live.Count);
                (nint block, nuint blockSize) = live[index];
                live[index] = live[^1];
                live.RemoveAt(live.Count - 1);
                heap.Free((void*)block, blockSize);
            }
        }

        return live;
    }

    private static void FreeAll(NativeHeap heap, List<(nint Block, nuint Size)> live, Random random)
    {
        (nint Block, nuint Size)[] blocks = [.. live];
        random.Shuffle(blocks);
        Array.ForEach(blocks, block => heap.Free((void*)block.Block, block.Size));
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
        Assert.InRange(heap.GetStatistics().RetainedBytes, 0, cap);
    }

    [Fact]
    public void The_counts_match_the_requests_to_the_system()
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
        Assert.InRange(
            heap.GetStatistics().RetainedBytes,
            Math.Min(8 << 20, MemoryPressure.DefaultRetainedBytes - (1 << 20)),
            MemoryPressure.DefaultRetainedBytes);
    }
}
