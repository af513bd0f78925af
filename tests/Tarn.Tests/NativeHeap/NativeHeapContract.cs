using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The guarantees for code that uses a <see cref="NativeHeap"/>. A subclass names the heap and its intended differences.</summary>
/// <remarks>Pointers travel as <see langword="nint"/> where lists and lambdas need them to.</remarks>
public abstract unsafe partial class NativeHeapContract : IDisposable
{
    /// <summary>Time stands still, so only a test's own trims give memory back.</summary>
    private protected readonly ManualClock _clock = new();

    private NativeHeap? _heap;
    private ulong _stamp;

    /// <summary>The heap under test, made when a test first asks for it.</summary>
    protected NativeHeap Heap => _heap ??= Create();

    /// <summary>Whether only the test uses the heap, so that its counters are exact.</summary>
    protected virtual bool IsOwn => true;

    protected virtual bool CountsInUse => true;

    /// <summary>A checked heap may give a block exactly the bytes asked for, and wants that very size back.</summary>
    protected virtual bool IsChecked => false;

    /// <summary>Up to here the sweep goes.</summary>
    protected virtual int LongestSwept => StressLength.Times(1 << 20, 4 << 20);

    /// <summary>The largest buffer that is reallocated; a checked heap copies and fills.</summary>
    protected virtual nuint LargestReallocated => 64 << 20;

    /// <summary>So many blocks of one size are in use at a time.</summary>
    protected virtual int MostBlocks => StressLength.Times(10_000, 100_000);

    /// <summary>The number of blocks of each size allocated and freed for a trim. A checked heap captures a stack with each call.</summary>
    protected virtual nuint TrimmedBytes => 3 << 20;

    private static IEnumerable<nuint> ClassSizes => Enumerable.Range(0, BlockSizes.ClassCount).Select(BlockSizes.SizeOf);

    /// <summary>Sizes that no process can have, the last of them because no processor has enough address lines.</summary>
    public static TheoryData<ulong> ImpossibleSizes =>
        [ulong.MaxValue, ulong.MaxValue - 1, ulong.MaxValue - (2 << 20), ulong.MaxValue - (2 << 20) + 1, ulong.MaxValue - (2 << 20) + 2,
            (1UL << 63) + 1, 1UL << 63, (1UL << 63) - 1, 1UL << 62, 1UL << 57, (1UL << 48) + 1, 1UL << 48];

    /// <summary>How often something is done: a fifth of it in the short form.</summary>
    protected int Times(int count) => StressLength.Times(Math.Max(1, count / 5), count);

    protected abstract NativeHeap Create();

    [Fact]
    public void Blocks_are_aligned_and_usable_over_all_their_bytes_new_and_reused()
    {
        foreach (int length in Lengths.UpTo(LongestSwept))
        {
            nuint size = (nuint)length;
            for (int round = 0; round < 2; round++)
            {
                void* block = Heap.Allocate(size);
                VerifyShape(block, size);
                Stamp(block);
                Heap.Free(block, size);
            }
        }
    }

    [Theory]
    [InlineData((1 << 20) + 1)]
    [InlineData(33 << 20)]
    [InlineData((1 << 30) + 1)]
    public void Large_buffers_are_aligned_and_usable(int length)
    {
        nuint size = (nuint)length;
        void* block = Heap.Allocate(size);
        VerifyShape(block, size);
        byte* bytes = (byte*)block;
        nuint usable = Heap.GetUsableSize(block);
        foreach (nuint at in (nuint[])[0, usable / 2, usable - 1])
        {
            bytes[at] = 7;
        }

        Assert.Equal((7, 7, 7), (bytes[0], bytes[usable / 2], bytes[usable - 1]));
        Heap.Free(block, size);
    }

    [Fact]
    public void Live_blocks_of_all_sizes_never_share_memory_and_keep_their_contents()
    {
        Random random = new(1);
        for (int round = 0; round < 3; round++)
        {
            List<(nint Address, nuint Size, ulong Stamp)> live = [];
            for (int i = 0; i < Times(3000); i++)
            {
                nuint size = (nuint)(random.Next(10) == 0 ? random.Next(1, 300_000) : random.Next(1, 2000));
                void* block = Heap.Allocate(size);
                live.Add(((nint)block, size, Stamp(block)));
            }

            VerifyDisjoint(live.ConvertAll(static block => block.Address));
            random.Shuffle(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(live));
            foreach ((nint address, nuint size, ulong stamp) in live)
            {
                Verify((void*)address, stamp);
                Heap.Free((void*)address, size);
            }
        }
    }

    [Fact]
    public void Blocks_of_one_class_are_all_different_however_many_there_are()
    {
        foreach (nuint size in (nuint[])[1, 4, 8, 64, 1000, 5000, 70_000])
        {
            int count = (int)Math.Clamp((16 << 20) / size, 10, (nuint)MostBlocks);
            HashSet<nint> live = new(count);
            for (int i = 0; i < count; i++)
            {
                Assert.True(live.Add((nint)Heap.Allocate(size)), $"Two callers were handed the same block of {size} bytes.");
            }

            foreach (nint block in live)
            {
                Heap.Free((void*)block, size);
            }
        }
    }

    [Fact]
    public void Size_zero_gives_a_block_like_any_other()
    {
        nint[] blocks = [.. Enumerable.Range(0, 300).Select(_ => (nint)Heap.Allocate(0))];
        Assert.DoesNotContain(0, blocks);
        Assert.Equal(blocks.Length, blocks.Distinct().Count());
        ulong[] stamps = Array.ConvertAll(blocks, block => Stamp((void*)block));
        for (int i = 0; i < blocks.Length; i++)
        {
            Verify((void*)blocks[i], stamps[i]);
            Heap.Free((void*)blocks[i], 0);
        }

        void* zeroed = Heap.AllocateZeroed(0);
        Assert.True(zeroed != null);
        Heap.Free(zeroed);
        VerifyNothingInUse();
    }

    [Fact]
    public void Freeing_null_does_nothing()
    {
        for (int round = 0; round < 2; round++)
        {
            Heap.Free(null, 0);
            Heap.Free(null, 64);
            Heap.Free(null, 100_000_000);
            Heap.Free(null);
            Heap.Free<long>(null);
            Heap.FreeAligned(null, 100, 64);
            VerifyNothingInUse();
            Heap.Free(Heap.Allocate(64), 64);
        }

        void* first = Heap.Allocate(64);
        void* second = Heap.Allocate(64);
        Assert.True(first != null && second != null && first != second);
        Heap.Free(first, 64);
        Heap.Free(second, 64);
    }

    [Theory]
    [MemberData(nameof(ImpossibleSizes))]
    public void Impossible_sizes_throw_at_once_and_change_nothing(ulong impossible)
    {
        nuint size = (nuint)impossible;
        (nint Address, nuint Size, ulong Stamp)[] kept = Array.ConvertAll(
            new nuint[] { 4, 100, 262_144, 1 << 20 },
            kept =>
            {
                void* block = Heap.Allocate(kept);
                return ((nint)block, kept, Stamp(block));
            });
        NativeHeapStatistics before = Heap.GetStatistics();
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.Allocate(size); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.AllocateZeroed(size); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.AllocateAligned(size, 1); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.AllocateAligned(size, 4096); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.AllocateAligned(size, 2 << 20); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.Reallocate(null, 0, size); });
        foreach ((nint address, nuint old, ulong stamp) in kept)
        {
            Assert.ThrowsAny<OutOfMemoryException>(() => { Heap.Reallocate((void*)address, old, size); });
            Verify((void*)address, stamp);
        }

        if (IsOwn)
        {
            Assert.Equal(before, Heap.GetStatistics());
        }

        Array.ForEach(kept, block => Heap.Free((void*)block.Address, block.Size));
    }

    [Fact]
    public void A_zeroed_block_is_zero_after_the_dirtiest_use()
    {
        foreach (nuint size in (nuint[])[1, 4, 17, 100, 1000, 4096, 40_000, 262_144, 262_145, 1 << 20, 5 << 20])
        {
            int depth = size <= 4096 ? Times(200) : 4;
            for (int round = 0; round < 3; round++)
            {
                nint[] dirty = [.. Enumerable.Range(0, depth).Select(_ => (nint)Heap.Allocate(size))];
                foreach (nint block in dirty)
                {
                    BlockContents.Fill((void*)block, Heap.GetUsableSize((void*)block), 0xDB);
                    Heap.Free((void*)block, size);
                }

                nint[] cleared = [.. Enumerable.Range(0, depth).Select(_ => (nint)Heap.AllocateZeroed(size))];
                foreach (nint block in cleared)
                {
                    Assert.True(BlockContents.IsAll((void*)block, size, 0), $"A block of {size} bytes was not cleared.");
                    Heap.Free((void*)block, size);
                }
            }
        }
    }

    [Fact]
    public void Blocks_may_be_freed_on_another_thread_than_they_were_allocated_on()
    {
        using Worker worker = new();
        foreach (nuint size in (nuint[])[8, 100, 3000, 100_000, 400_000])
        {
            for (int round = 0; round < Times(10); round++)
            {
                (nint Address, ulong Stamp)[] mine = Take();
                worker.Run(() => Give(mine));
                (nint Address, ulong Stamp)[] theirs = worker.Run(Take);
                VerifyDisjoint([.. theirs.Select(static block => block.Address)]);
                Give(theirs);
            }

            (nint Address, ulong Stamp)[] Take() =>
                [.. Enumerable.Range(0, size < 10_000 ? 300 : 5).Select(_ =>
                {
                    void* block = Heap.Allocate(size);
                    return ((nint)block, Stamp(block));
                })];

            void Give((nint Address, ulong Stamp)[] blocks)
            {
                foreach ((nint address, ulong stamp) in blocks)
                {
                    Verify((void*)address, stamp);
                    Heap.Free((void*)address, size);
                }
            }
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void The_heap_has_a_name() => Assert.False(string.IsNullOrEmpty(Heap.Name));

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        if (IsOwn)
        {
            _heap?.Dispose();
        }
    }

    /// <summary>Verifies the guarantees of every block handed out.</summary>
    private void VerifyShape(void* block, nuint size)
    {
        nuint usable = Heap.GetUsableSize(block);
        nuint rounded = NativeHeap.GetBlockSize(size);
        if (block == null || (nuint)block % BlockSizes.AlignmentOf(rounded) != 0)
        {
            Assert.Fail($"A block of {rounded} bytes lies at {(nint)block:x}.");
        }

        if (IsChecked ? usable < size : usable != rounded)
        {
            Assert.Fail($"Of a block for {size} bytes {usable} are usable; its size is {rounded}.");
        }
    }

    private ulong Stamp(void* block)
    {
        ulong stamp = Interlocked.Increment(ref _stamp);
        BlockContents.Write(block, Heap.GetUsableSize(block), stamp);
        return stamp;
    }

    private void Verify(void* block, ulong stamp) => BlockContents.Verify(block, Heap.GetUsableSize(block), stamp);

    private void VerifyDisjoint(List<nint> blocks)
    {
        blocks.Sort();
        for (int i = 1; i < blocks.Count; i++)
        {
            nuint usable = Heap.GetUsableSize((void*)blocks[i - 1]);
            Assert.True(
                (nuint)blocks[i] - (nuint)blocks[i - 1] >= usable, $"{blocks[i - 1]:x} has {usable} bytes, {blocks[i]:x} is live too.");
        }
    }

    private void VerifyNothingInUse()
    {
        if (IsOwn)
        {
            NativeHeapStatistics now = Heap.GetStatistics();
            Assert.Equal((0, 0), (now.InUseBytes, now.InUseBlocks));
        }
    }
}
