using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Idle large buffers that serve another size (<see cref="NearSizes"/>).</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class NearSizeTests : HeapWithManualClock
{
    private const nuint Kept = 1 << 20;
    private const nuint FarSize = 16 << 20;
    private const int PageStep = 4 << 10;

    /// <summary>One, two and four classes below and above. Growing needs a system that can move memory.</summary>
    public static TheoryData<int> NearClasses => OperatingSystem.IsLinux() ? [-4, -2, -1, 1, 2, 4] : [-4, -2, -1];

    [Theory]
    [MemberData(nameof(NearClasses))]
    public void A_kept_buffer_at_rest_serves_a_near_size(int distance)
    {
        NativeHeap heap = Create();
        RestOnThreadsAndInHeap(heap);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) + distance);
        NativeHeapStatistics before = heap.GetStatistics();
        (int moved, int refused) = (_memory.CallsOf(MemoryCall.TryMove), _memory.Refused);
        nint block = (nint)heap.Allocate(wanted);
        BlockContents.Write((void*)block, wanted, 7);
        NativeHeapStatistics after = heap.GetStatistics();
        Assert.Equal(before.CommittedBytes + (long)wanted - (long)Kept, after.CommittedBytes);
        Assert.Equal(before.InUseBytes + (long)wanted, after.InUseBytes);
        Assert.Equal(before.RetainedBytes - (long)Kept, after.RetainedBytes);
        Assert.Equal(wanted, heap.GetUsableSize((void*)block));
        Assert.Equal((moved + (distance > 0 ? 1 : 0), refused), (_memory.CallsOf(MemoryCall.TryMove), _memory.Refused));
        Assert.Equal((long)_memory.ReservedBytes, after.ReservedBytes);
        BlockContents.Verify((void*)block, wanted, 7);
        heap.Free((void*)block, wanted);
        heap.Validate();
    }

    [Theory]
    [InlineData(10, false)]
    [InlineData(40, true)]
    public void A_buffer_in_a_slot_serves_a_near_size_once_its_thread_allocated_often_enough(int allocations, bool serves)
    {
        NativeHeap heap = Create();
        AllocateAndFree(heap, Kept, 1);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) - 1);
        heap.Allocate(wanted);
        for (int i = 0; i < allocations; i++)
        {
            AllocateAndFree(heap, FarSize, 1);
        }

        long before = heap.GetStatistics().CommittedBytes;
        heap.Allocate(wanted);
        long more = heap.GetStatistics().CommittedBytes - before;
        Assert.Equal(serves ? (long)wanted - (long)Kept : (long)wanted, more);
        heap.Validate();
    }

    [Fact]
    public void A_buffer_that_has_just_come_to_its_slot_serves_no_other_size()
    {
        NativeHeap heap = Create();
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) - 1);
        void* kept = heap.Allocate(Kept);
        heap.Allocate(wanted);
        for (int i = 0; i < 40; i++)
        {
            AllocateAndFree(heap, FarSize, 1);
        }

        heap.Free(kept, Kept);
        long before = heap.GetStatistics().CommittedBytes;
        heap.Allocate(wanted);
        Assert.Equal(before + (long)wanted, heap.GetStatistics().CommittedBytes);
    }

    [Theory]
    [InlineData(1 << 20, -5)]
    [InlineData(1 << 20, 5)]
    [InlineData(2 << 20, -1)]
    public void A_kept_buffer_does_not_serve_a_size_more_than_a_doubling_away_or_without_huge_pages(int kept, int distance)
    {
        NativeHeap heap = Create();
        RestOnThreadsAndInHeap(heap, (nuint)kept);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf((nuint)kept) + distance);
        long before = heap.GetStatistics().CommittedBytes;
        heap.Allocate(wanted);
        Assert.Equal(before + (long)wanted, heap.GetStatistics().CommittedBytes);
    }

    [Fact]
    public void A_buffer_that_served_another_size_is_cleared_on_request()
    {
        NativeHeap heap = Create();
        RestOnThreadsAndInHeap(heap);
        nuint wanted = Kept - (Kept / 4);
        long before = heap.GetStatistics().CommittedBytes;
        Assert.True(BlockContents.IsAll(heap.AllocateZeroed(wanted), wanted, 0));
        Assert.True(heap.GetStatistics().CommittedBytes < before, "The heap allocated a new buffer.");
    }

    [Fact]
    public void Sizes_used_in_turn_keep_their_buffers()
    {
        NativeHeap heap = Create();
        nuint[] sizes = [.. Enumerable.Range(0, 24).Select(static at => BlockSizes.SizeOf(BlockSizes.SlabClassCount + at))];
        new Random(11).Shuffle(sizes);
        int calls = 0;
        for (int round = 0; round < 20; round++)
        {
            foreach (nuint size in sizes)
            {
                AllocateAndFree(heap, size, 1);
            }

            calls = round == 3 ? _memory.Calls : calls;
        }

        Assert.Equal(calls, _memory.Calls);
    }

    [Fact]
    public void Random_sizes_keep_little_more_than_is_in_use()
    {
        NativeHeap heap = Create();
        Random random = new(5);
        (nint Address, nuint Size)[] live = new (nint, nuint)[20];
        long mostInUse = 0;
        long mostRetained = 0;
        for (int i = 0; i < 1500; i++)
        {
            nuint size = (nuint)random.Next(300 << 10, 3 << 20);
            nint block = (nint)heap.Allocate(size);
            Stamp(block, size);
            Release(heap, ref live[random.Next(live.Length)], (block, size));
            NativeHeapStatistics now = heap.GetStatistics();
            mostInUse = Math.Max(mostInUse, now.InUseBytes);
            mostRetained = Math.Max(mostRetained, now.RetainedBytes);
        }

        // When no buffer serves another size, it is 1.8 times as much.
        Assert.InRange(mostRetained, 1, mostInUse * 5 / 4);
        for (int i = 0; i < live.Length; i++)
        {
            Release(heap, ref live[i], default);
        }

        heap.Validate();
        heap.Trim();
        AssertNothingKept(heap);
    }

    [Fact]
    public void Threads_that_hand_random_sizes_over_find_them_unharmed()
    {
        NativeHeap heap = Create();
        (nint Address, nuint Size)[] shared = new (nint, nuint)[24];
        Lock guard = new();
        Thread[] threads = [.. Enumerable.Range(0, 3).Select(at => new Thread(() => Exchange(new Random(at))))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        foreach ((nint address, nuint size) in shared)
        {
            (nint, nuint) block = (address, size);
            Release(heap, ref block, default);
        }

        heap.Validate();
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);

        void Exchange(Random random)
        {
            for (int i = 0; i < (StressLength.IsLong ? 20_000 : 2000); i++)
            {
                nuint size = (nuint)random.Next(257 << 10, 2 << 20);
                nint block = (nint)heap.Allocate(size);
                Stamp(block, size);
                (nint Address, nuint Size) old;
                lock (guard)
                {
                    ref (nint, nuint) place = ref shared[random.Next(shared.Length)];
                    (old, place) = (place, (block, size));
                }

                Release(heap, ref old, default);
            }
        }
    }

    [Fact]
    public void A_refusal_while_a_buffer_is_resized_loses_nothing()
    {
        int refused = 0;
        for (int call = 1; call <= 4; call++)
        {
            foreach (nuint wanted in (nuint[])[Kept / 4 * 3, Kept / 4 * 5, Kept * 2])
            {
                NativeHeap heap = Create();
                RestOnThreadsAndInHeap(heap);
                int before = _memory.Refused;
                _memory.Refuse(call);
                nint block = (nint)heap.Allocate(wanted);
                BlockContents.Write((void*)block, wanted, 9);
                refused += _memory.Refused - before;
                _memory.RefuseNothing();
                heap.Validate();
                heap.Free((void*)block, wanted);
                heap.Validate();
                Assert.Equal(9, heap.GetStatistics().InUseBlocks);
                Assert.Equal(heap.GetStatistics().CommittedBytes, heap.GetStatistics().InUseBytes + heap.GetStatistics().RetainedBytes);
            }
        }

        Assert.InRange(refused, OperatingSystem.IsLinux() ? 4 : 1, 12);
    }

    [Fact]
    public void A_buffer_that_shrank_grows_again_in_place_and_then_elsewhere()
    {
        NativeHeap heap = Create();
        nuint large = 4 << 20;
        nuint small = 1 << 20;
        nint block = (nint)heap.Allocate(large);
        Assert.Equal(block, (nint)heap.Reallocate((void*)block, large, small));
        BlockContents.Write((void*)block, small, 3);
        Assert.Equal(block, (nint)heap.Reallocate((void*)block, small, large));
        BlockContents.VerifyStart((void*)block, large, small, 3);
        Assert.Equal(block, (nint)heap.Reallocate((void*)block, large, small));
        block = (nint)heap.Reallocate((void*)block, small, large * 2);
        BlockContents.VerifyStart((void*)block, large * 2, small, 3);
        BlockContents.Write((void*)block, large * 2, 4);
        heap.Validate();
        Assert.Equal((long)large * 2, heap.GetStatistics().InUseBytes);
        heap.Free((void*)block, large * 2);
        heap.Validate();
    }

    [Fact]
    public void Address_space_counts_as_reserved_whether_its_buffer_shrank_or_moved()
    {
        NativeHeap heap = Create();
        heap.Reallocate(heap.Allocate(4 << 20), 4 << 20, 1 << 20);
        heap.Reallocate(heap.Allocate(1 << 20), 1 << 20, 2 << 20);
        Assert.Equal((long)_memory.ReservedBytes, heap.GetStatistics().ReservedBytes);
    }

    [Fact]
    public void A_refusal_while_a_buffer_moves_leaves_it_as_it_was()
    {
        for (int call = 1; call <= 4; call++)
        {
            NativeHeap heap = Create();
            nint block = (nint)heap.Reallocate(heap.Allocate(2 << 20), 2 << 20, 1 << 20);
            BlockContents.Write((void*)block, 1 << 20, 3);
            _memory.Refuse(call);
            block = (nint)heap.Reallocate((void*)block, 1 << 20, 8 << 20);
            _memory.RefuseNothing();
            BlockContents.VerifyStart((void*)block, 8 << 20, 1 << 20, 3);
            heap.Free((void*)block, 8 << 20);
            heap.Validate();
            Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        }
    }

    /// <summary>
    /// Leaves two idle buffers of a size, one in the thread's slot, and nine in use of a far size: the kept one is at
    /// rest.
    /// </summary>
    private static void RestOnThreadsAndInHeap(NativeHeap heap, nuint size = Kept)
    {
        nint[] blocks = Allocate(heap, size, 2);
        Array.ForEach(blocks, block => BlockContents.Write((void*)block, size, 1));
        Free(heap, size, blocks);
        Allocate(heap, FarSize, 9);
    }

    /// <summary>Puts <paramref name="next"/> in the place of a block, and frees that block if it is unharmed.</summary>
    private static void Release(NativeHeap heap, ref (nint Address, nuint Size) place, (nint Address, nuint Size) next)
    {
        if (place.Address != 0)
        {
            for (nuint at = 0; at + sizeof(long) <= place.Size; at += PageStep)
            {
                Assert.Equal(place.Address + (nint)at, *(nint*)(place.Address + (nint)at));
            }

            heap.Free((void*)place.Address, place.Size);
        }

        place = next;
    }

    /// <summary>Writes its own address to each OS page of a block.</summary>
    private static void Stamp(nint block, nuint size)
    {
        for (nuint at = 0; at + sizeof(long) <= size; at += PageStep)
        {
            *(nint*)(block + (nint)at) = block + (nint)at;
        }
    }
}
