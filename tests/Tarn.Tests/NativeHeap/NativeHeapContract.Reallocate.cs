using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <content>Blocks that change their size.</content>
public abstract unsafe partial class NativeHeapContract
{
    [Fact]
    public void A_null_block_is_reallocated_as_a_new_one()
    {
        foreach (nuint size in (nuint[])[0, 1, 100, 100_000, 1 << 20])
        {
            void* block = Heap.Reallocate(null, 0, size);
            VerifyShape(block, size);
            Heap.Free(block, size);
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void Contents_are_kept_as_far_as_both_sizes_go()
    {
        nuint[] sizes =
            [1, 3, 4, 5, 16, 17, 100, 112, 113, 1000, 1024, 4097, 30_000, 65_536, 262_144, 262_145, 300_000, 1 << 20, 3_000_001];
        foreach (nuint from in sizes)
        {
            // Each third size, another one after each other, so that all are met both ways.
            int first = StressLength.IsLong ? 0 : Array.IndexOf(sizes, from) % 3;
            for (int i = first; i < sizes.Length; i += StressLength.Times(3, 1))
            {
                nuint to = sizes[i];
                byte* block = (byte*)Heap.Allocate(from);
                BlockContents.Write(block, from, from);
                block = (byte*)Heap.Reallocate(block, from, to);
                VerifyShape(block, to);
                BlockContents.VerifyStart(block, from, Math.Min(from, to), from);
                Stamp(block);
                Heap.Free(block, to);
            }
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void A_size_of_the_same_class_keeps_the_block_where_it_is()
    {
        if (IsChecked)
        {
            return;
        }

        foreach (nuint size in ClassSizes.Where(static size => size <= 16 << 20))
        {
            nuint smallest = size <= 4 ? 0 : BlockSizes.SizeOf((int)BlockSizes.IndexOf(size) - 1) + 1;
            void* block = Heap.Allocate(size);
            Assert.True(
                Heap.Reallocate(block, size, smallest) == block, $"The block of {size} bytes moved when {smallest} were asked for.");
            Assert.True(Heap.Reallocate(block, smallest, size) == block);
            Assert.True(Heap.Reallocate(block, size, size) == block);
            Heap.Free(block, size);
        }
    }

    [Fact]
    public void Size_zero_leaves_a_usable_block()
    {
        foreach (nuint size in (nuint[])[0, 1, 4, 100, 100_000, 1 << 20])
        {
            void* block = Heap.Reallocate(Heap.Allocate(size), size, 0);
            Assert.True(block != null);
            ulong stamp = Stamp(block);
            void* other = Heap.Allocate(0);
            Assert.True(block != other);
            Stamp(other);
            Verify(block, stamp);
            Heap.Free(block, 0);
            Heap.Free(other, 0);
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void A_large_buffer_grows_and_shrinks_with_its_contents()
    {
        nuint size = 200_000;
        byte* block = (byte*)Heap.Allocate(size);
        BlockContents.Write(block, size, 1);
        for (ulong stamp = 2; size < LargestReallocated; stamp++)
        {
            nuint larger = (size * 2) + 12_345;
            block = (byte*)Heap.Reallocate(block, size, larger);
            VerifyShape(block, larger);
            BlockContents.VerifyStart(block, size, size, stamp - 1);
            size = larger;
            BlockContents.Write(block, size, stamp);
        }

        for (ulong stamp = 100; size > 1000; stamp++)
        {
            BlockContents.Write(block, size, stamp);
            nuint smaller = size / 3;
            block = (byte*)Heap.Reallocate(block, size, smaller);
            VerifyShape(block, smaller);
            BlockContents.VerifyStart(block, size, smaller, stamp);
            size = smaller;
        }

        Heap.Free(block, size);
        VerifyNothingInUse();
    }

    [Fact]
    public void A_large_buffer_that_shrinks_is_aligned_as_one_of_its_new_size()
    {
        // A smaller size may be a multiple of a higher power of two, but a buffer shrunk in place keeps its alignment.
        nuint[] sizes = [.. ClassSizes.Where(static size => size is > BlockSizes.LargestSlabSize and <= 8 << 20)];
        List<(nint Address, nuint Size)> live = [];
        foreach (nuint from in sizes)
        {
            foreach (nuint to in sizes.Where(to => to < from && BlockSizes.AlignmentOf(to) > BlockSizes.AlignmentOf(from)))
            {
                void* block = Heap.Reallocate(Heap.Allocate(from), from, to);
                VerifyShape(block, to);
                live.Add(((nint)block, to));
                void* cut = Heap.Reallocate(Heap.Allocate(from), from, to);
                Heap.Free(cut, to);
                void* reused = Heap.AllocateAligned(to, BlockSizes.AlignmentOf(to));
                VerifyShape(reused, to);
                live.Add(((nint)reused, to));
            }
        }

        live.ForEach(block => Heap.Free((void*)block.Address, block.Size));
        VerifyNothingInUse();
    }

    [Fact]
    public void Large_buffers_beside_one_that_grows_keep_their_contents()
    {
        nuint size = 1 << 20;
        (nint Address, ulong Stamp)[] neighbours = [.. Enumerable.Range(0, 8).Select(_ =>
        {
            void* block = Heap.Allocate(size);
            return ((nint)block, Stamp(block));
        })];
        void* grown = Heap.Allocate(size);
        for (nuint larger = size; larger < 8 * size; larger += size)
        {
            BlockContents.Write(grown, larger, larger);
            grown = Heap.Reallocate(grown, larger, larger + size);
            BlockContents.VerifyStart(grown, larger, larger, larger);
            VerifyDisjoint([(nint)grown, .. neighbours.Select(static block => block.Address)]);
        }

        foreach ((nint address, ulong stamp) in neighbours)
        {
            Verify((void*)address, stamp);
            Heap.Free((void*)address, size);
        }

        Heap.Free(grown, 8 * size);
        VerifyNothingInUse();
    }

    [Fact]
    public void The_old_block_of_a_reallocation_is_free_again()
    {
        void* block = Heap.Allocate(10);
        for (nuint size = 10; size < 100_000; size *= 2)
        {
            block = Heap.Reallocate(block, size, size * 2);
            if (IsOwn && CountsInUse)
            {
                Assert.Equal(1, Heap.GetStatistics().InUseBlocks);
            }
        }

        Heap.Free(block);
        VerifyNothingInUse();
    }

    [Fact]
    public void A_block_of_unknown_size_keeps_its_contents()
    {
        foreach (nuint from in (nuint[])[1, 100, 5000, 300_000])
        {
            foreach (nuint to in (nuint[])[1, 100, 5000, 300_000, 3_000_000])
            {
                byte* block = (byte*)Heap.Allocate(from);
                BlockContents.Write(block, from, from);
                block = (byte*)Heap.Reallocate(block, to);
                VerifyShape(block, to);
                BlockContents.VerifyStart(block, from, Math.Min(from, to), from);
                Heap.Free(block, to);
            }
        }

        void* made = Heap.Reallocate(null, 100);
        Stamp(made);
        Heap.Free(made, 100);
        VerifyNothingInUse();
    }

    [Fact]
    public void A_block_of_another_heap_is_not_reallocated()
    {
        using NativeHeap other = new();
        void* block = other.Allocate(100);
        Assert.Throws<InvalidOperationException>(() => { Heap.Reallocate(block, 200); });
        other.Free(block, 100);
        VerifyNothingInUse();
    }

    [Fact]
    public void Aligned_blocks_stay_aligned_and_keep_their_contents()
    {
        nuint[] sizes = [1, 100, 5000, 300_000, 3_000_000];
        foreach (nuint alignment in (nuint[])[1, 64, 4096, 1 << 16, 2 << 20])
        {
            foreach ((nuint from, nuint to) in sizes.SelectMany(from => sizes.Select(to => (from, to))))
            {
                byte* block = (byte*)Heap.AllocateAligned(from, alignment);
                BlockContents.Write(block, from, from);
                block = (byte*)Heap.ReallocateAligned(block, from, to, alignment);
                Assert.True((nuint)block % alignment == 0, $"{to} bytes aligned to {alignment} lie at {(nint)block:x}.");
                BlockContents.VerifyStart(block, from, Math.Min(from, to), from);
                Stamp(block);
                Heap.FreeAligned(block, to, alignment);
            }
        }

        Heap.FreeAligned(Heap.ReallocateAligned(null, 0, 100, 64), 100, 64);
        VerifyNothingInUse();
    }

    [Theory]
    [MemberData(nameof(BadAlignments))]
    public void A_bad_alignment_is_refused_and_the_block_stays(ulong alignment)
    {
        void* block = Heap.AllocateAligned(100, 64);
        ulong stamp = Stamp(block);
        Assert.Throws<ArgumentOutOfRangeException>(
            nameof(alignment), () => { Heap.ReallocateAligned(block, 100, 200, (nuint)alignment); });
        if (IsChecked)
        {
            Assert.Throws<InvalidOperationException>(() => { Heap.ReallocateAligned(block, 100, 200, 128); });
        }

        Verify(block, stamp);
        Heap.FreeAligned(block, 100, 64);
        VerifyNothingInUse();
    }
}
