using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The memory that the process really occupies, as counted by the system.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class HeapResidentTests : HeapWithManualClock
{
    /// <summary>The resident bytes of the heap's own address space.</summary>
    private long HeapBytes => ResidentMemory.Within(_memory.Reservations);

    [Theory]
    [InlineData(64)]
    [InlineData(1000)]
    [InlineData(20_000)]
    [InlineData(262_144)]
    [InlineData(4 << 20)]
    public void After_a_peak_nearly_all_of_it_goes_back_within_twice_the_timeout(int blockSize)
    {
        if (!ResidentMemory.IsKnown)
        {
            return;
        }

        const long peak = 256 << 20;
        NativeHeap heap = Create();
        nint[] blocks = new nint[peak / blockSize];
        Touch();
        heap.Trim();
        Touch();
        long retained = HeapBytes;
        Assert.True(retained > peak / 2, $"Only {retained} bytes are resident after {peak} were written.");
        _clock.Advance(s_idle * 2);
        long left = HeapBytes;
        Assert.True(left <= peak / 20, $"{left} bytes are resident after idling, {retained} were.");

        void Touch()
        {
            for (int i = 0; i < blocks.Length; i++)
            {
                blocks[i] = (nint)heap.Allocate((nuint)blockSize);
                BlockContents.Write((void*)blocks[i], (nuint)blockSize, (ulong)i);
            }

            Free(heap, (nuint)blockSize, blocks);
        }
    }

    [Theory]
    [InlineData(64)]
    [InlineData(1000)]
    [InlineData(5000)]
    [InlineData(20_000)]
    [InlineData(262_144)]
    public void A_block_in_use_does_not_hold_the_memory_around_it(int blockSize)
    {
        if (!ResidentMemory.IsKnown)
        {
            return;
        }

        // One block of this many stays in use, far enough from the next.
        int share = Math.Max(4, (1 << 20) / blockSize);
        NativeHeap heap = Create();
        nint[] blocks = new nint[(128 << 20) / blockSize];
        for (int i = 0; i < blocks.Length; i++)
        {
            blocks[i] = (nint)heap.Allocate((nuint)blockSize);
            BlockContents.Write((void*)blocks[i], (nuint)blockSize, (ulong)i);
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            if (i % share != 0)
            {
                heap.Free((void*)blocks[i], (nuint)blockSize);
            }
        }

        long inUse = heap.GetStatistics().InUseBytes;
        _clock.Advance(s_idle * 2);

        // Both ends of a block may lie amid OS pages.
        long due = inUse + (heap.GetStatistics().InUseBlocks * 2 * Environment.SystemPageSize);
        long left = HeapBytes;
        Assert.True(left <= due + (1 << 20), $"{left} bytes are resident for {inUse} bytes in use.");
        for (int i = 0; i < blocks.Length; i += share)
        {
            BlockContents.Verify((void*)blocks[i], (nuint)blockSize, (ulong)i);
            heap.Free((void*)blocks[i], (nuint)blockSize);
        }
    }

    [Fact]
    public void Heaps_that_are_hardly_used_occupy_less_than_two_mebibytes_each()
    {
        if (!ResidentMemory.IsKnown)
        {
            return;
        }

        const int count = 32;
        Use(Create());
        long before = ResidentMemory.Bytes;
        NativeHeap[] heaps = [.. Enumerable.Range(0, count).Select(_ => Create())];
        long unused = ResidentMemory.Bytes - before;
        Array.ForEach(heaps, Use);
        long used = ResidentMemory.Bytes - before;
        Assert.True(unused < count * (1L << 20), $"{count} unused heaps occupy {unused} bytes.");
        Assert.True(used < count * (2L << 20), $"{count} heaps that gave out one block each occupy {used} bytes.");
        Assert.All(heaps, static heap => Assert.InRange(heap.GetStatistics().CommittedBytes, 0, 2 << 20));

        static void Use(NativeHeap heap)
        {
            *(int*)heap.Allocate(100) = 1;
            heap.Free(heap.Allocate(1000), 1000);
        }
    }

    [Fact]
    public void A_large_buffer_that_was_never_written_takes_no_memory()
    {
        if (!ResidentMemory.IsKnown)
        {
            return;
        }

        NativeHeap heap = Create();
        void* large = heap.AllocateZeroed(512 << 20);
        Assert.Equal(0, HeapBytes);
        heap.Free(large, 512 << 20);
    }
}
