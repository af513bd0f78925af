using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Idle large buffers that serve another size because the heap keeps as much as it may.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class NearSizeTests : HeapWithManualClock
{
    private const nuint Kept = 1 << 20;
    private const nuint FarSize = 16 << 20;
    private const int PageStep = 4 << 10;

    /// <summary>Three and four classes below, and one, two and four above. Growing needs a system that can move memory.</summary>
    public static TheoryData<int> NearClasses => OperatingSystem.IsLinux() ? [-4, -3, 1, 2, 4] : [-4, -3];

    [Theory]
    [MemberData(nameof(NearClasses))]
    public void A_kept_buffer_serves_a_near_size_once_the_heap_keeps_all_it_may(int distance)
    {
        NativeHeap heap = Create();
        KeepAllItMay(heap);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) + distance);
        NativeHeapStatistics before = heap.GetStatistics();
        (int moved, int refused) = (_memory.CallsOf(MemoryCall.TryMove), _memory.Refused);
        nint block = (nint)heap.Allocate(wanted);
        BlockContents.Write((void*)block, wanted, 7);
        NativeHeapStatistics after = heap.GetStatistics();

        // A buffer that grew is surplus, for which the one kept longest goes.
        long gone = (long)Kept * (distance > 0 ? 2 : 1);
        Assert.Equal(before.CommittedBytes + (long)wanted - gone, after.CommittedBytes);
        Assert.Equal(before.InUseBytes + (long)wanted, after.InUseBytes);
        Assert.Equal(before.RetainedBytes - gone, after.RetainedBytes);
        Assert.Equal(wanted, heap.GetUsableSize((void*)block));
        Assert.Equal((moved + (distance > 0 ? 1 : 0), refused), (_memory.CallsOf(MemoryCall.TryMove), _memory.Refused));
        Assert.Equal((long)_memory.ReservedBytes, after.ReservedBytes);
        BlockContents.Verify((void*)block, wanted, 7);
        heap.Free((void*)block, wanted);
        heap.Validate();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_kept_buffer_serves_the_two_classes_below_whole(int below)
    {
        NativeHeap heap = Create();
        AllocateAndFree(heap, Kept, 1);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) - below);
        int calls = _memory.Calls;
        void* block = heap.Allocate(wanted);
        BlockContents.Write(block, wanted, 5);

        // The caller sees a block of its own size; what is behind it stays committed.
        Assert.Equal(wanted, heap.GetUsableSize(block));
        Assert.Equal(((long)wanted, 1), (heap.GetStatistics().InUseBytes, heap.GetStatistics().InUseBlocks));
        Assert.Equal((0, (long)Kept), (heap.GetStatistics().RetainedBytes, heap.GetStatistics().CommittedBytes));
        BlockContents.Verify(block, wanted, 5);
        heap.Validate();

        // It grows to its whole size in place, without a call to the system.
        Assert.Equal((nint)block, (nint)heap.Reallocate(block, wanted, Kept));
        BlockContents.VerifyStart(block, Kept, wanted, 5);
        Assert.Equal((nint)block, (nint)heap.Reallocate(block, Kept, wanted));
        heap.Free(block, wanted);
        heap.Validate();
        Assert.Equal(heap.GetStatistics().CommittedBytes, heap.GetStatistics().RetainedBytes);
        Assert.Equal(0, heap.GetStatistics().InUseBytes);
        Assert.Equal(calls, _memory.Calls);
    }

    [Fact]
    public void A_heap_that_may_keep_more_creates_a_buffer_of_each_size_that_none_serves()
    {
        NativeHeap heap = Create();
        AllocateAndFree(heap, Kept, 1);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf(Kept) - 3);
        AllocateAndFree(heap, wanted, 1);
        Assert.Equal((long)(Kept + wanted), heap.GetStatistics().RetainedBytes);
    }

    [Theory]
    [InlineData(1 << 20, -5)]
    [InlineData(1 << 20, 5)]
    [InlineData(2 << 20, -1)]
    public void A_kept_buffer_does_not_serve_a_size_more_than_a_doubling_away_or_without_huge_pages(int kept, int distance)
    {
        NativeHeap heap = Create();
        KeepAllItMay(heap, (nuint)kept);
        nuint wanted = BlockSizes.SizeOf((int)BlockSizes.IndexOf((nuint)kept) + distance);
        NativeHeapStatistics before = heap.GetStatistics();
        int moved = _memory.CallsOf(MemoryCall.TryMove);
        int reserved = _memory.CallsOf(MemoryCall.Reserve);
        heap.Allocate(wanted);

        // A new one, for which kept ones of that size went.
        Assert.Equal((moved, reserved + 1), (_memory.CallsOf(MemoryCall.TryMove), _memory.CallsOf(MemoryCall.Reserve)));
        long gone = before.CommittedBytes + (long)wanted - heap.GetStatistics().CommittedBytes;
        Assert.Equal(0, gone % kept);
    }

    [Fact]
    public void A_buffer_that_served_another_size_is_cleared_on_request()
    {
        NativeHeap heap = Create();
        KeepAllItMay(heap);
        nuint wanted = Kept - (Kept / 4);
        long before = heap.GetStatistics().CommittedBytes;
        Assert.True(BlockContents.IsAll(heap.AllocateZeroed(wanted), wanted, 0));
        Assert.Equal(before, heap.GetStatistics().CommittedBytes);
    }

    [Fact]
    public void Sizes_used_in_turn_keep_their_buffers()
    {
        NativeHeap heap = Create();
        nuint[] sizes = [.. Enumerable.Range(0, 12).Select(static at => BlockSizes.SizeOf(BlockSizes.SlabClassCount + at))];
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
    public void Random_sizes_keep_no_more_than_the_bound()
    {
        NativeHeap heap = Create();
        Random random = new(5);
        (nint Address, nuint Size)[] live = new (nint, nuint)[20];
        long mostInUse = 0;
        for (int i = 0; i < 1500; i++)
        {
            nuint size = (nuint)random.Next(300 << 10, 3 << 20);
            nint block = (nint)heap.Allocate(size);
            Stamp(block, size);
            mostInUse = Math.Max(mostInUse, heap.GetStatistics().InUseBytes);
            Release(heap, ref live[random.Next(live.Length)], (block, size));
            NativeHeapStatistics now = heap.GetStatistics();
            Assert.InRange(now.InUseBytes + now.RetainedBytes, 1, LargeBuffers.Most(mostInUse + (mostInUse / 2)));
        }

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
            foreach (nuint wanted in (nuint[])[Kept / 8 * 5, Kept / 4 * 5, Kept * 2])
            {
                NativeHeap heap = Create();
                KeepAllItMay(heap);
                int before = _memory.Refused;
                _memory.Refuse(call);
                nint block = (nint)heap.Allocate(wanted);
                BlockContents.Write((void*)block, wanted, 9);
                refused += _memory.Refused - before;
                _memory.RefuseNothing();
                heap.Validate();
                heap.Free((void*)block, wanted);
                heap.Validate();
                Assert.Equal(0, heap.GetStatistics().InUseBlocks);
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

    /// <summary>Leaves idle buffers of a size and two far ones, as many bytes as the heap may keep.</summary>
    private static void KeepAllItMay(NativeHeap heap, nuint size = Kept)
    {
        nint[] blocks = Allocate(heap, size, (int)(FarSize / 2 / size));
        Array.ForEach(blocks, block => BlockContents.Write((void*)block, size, 1));
        Free(heap, size, blocks);
        AllocateAndFree(heap, FarSize, 1);
        AllocateAndFree(heap, (nuint)LargeBuffers.Spare, 1);
        Assert.Equal(LargeBuffers.Most((long)FarSize), heap.GetStatistics().RetainedBytes);
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
