using System.Globalization;

namespace Tarn.Tests.NativeHeaps;

/// <content>Blocks aligned to more than their size asks for.</content>
public abstract unsafe partial class NativeHeapContract
{
    public static TheoryData<ulong> BadAlignments =>
        [0, 3, 6, 24, 4095, (2 << 20) + 1, 3 << 20, 4 << 20, 1UL << 32, 1UL << 63, ulong.MaxValue];

    [Fact]
    public void Aligned_blocks_are_aligned_for_every_power_of_two_up_to_a_huge_page()
    {
        for (nuint alignment = 1; alignment <= BlockSizes.LargestAlignment; alignment *= 2)
        {
            nuint[] sizes =
                [0, 1, 5, 100, alignment - 1, alignment, alignment + 1, (2 * alignment) - 1, 3 * alignment, (3 * alignment) + 1];
            List<(nint Address, nuint Size, ulong Stamp)> live = [];
            foreach (nuint size in sizes.Concat(sizes))
            {
                void* block = Heap.AllocateAligned(size, alignment);
                Assert.True((nuint)block % alignment == 0, $"{size} bytes aligned to {alignment} lie at {(nint)block:x}.");
                Assert.True(block != null && Heap.GetUsableSize(block) >= size);
                live.Add(((nint)block, size, Stamp(block)));
            }

            VerifyDisjoint(live.ConvertAll(static block => block.Address));
            foreach ((nint address, nuint size, ulong stamp) in live)
            {
                Verify((void*)address, stamp);
                Heap.FreeAligned((void*)address, size, alignment);
            }
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void Aligned_blocks_may_be_freed_by_their_address_alone()
    {
        foreach (nuint alignment in (nuint[])[1, 64, 4096, 1 << 16, 2 << 20])
        {
            void* small = Heap.AllocateAligned(10, alignment);
            void* large = Heap.AllocateAligned(5 * alignment, alignment);
            Stamp(small);
            Stamp(large);
            Heap.Free(small);
            Heap.Free(large);
        }

        VerifyNothingInUse();
    }

    [Theory]
    [MemberData(nameof(BadAlignments))]
    public void Alignments_that_are_no_power_of_two_or_larger_than_a_huge_page_are_refused(ulong alignment)
    {
        void* block = Heap.Allocate(100);
        ulong stamp = Stamp(block);
        foreach (Action action in (Action[])
            [
                () => { Heap.AllocateAligned(100, (nuint)alignment); },
                () => { Heap.AllocateAligned(0, (nuint)alignment); },
                () => { Heap.AllocateAligned(nuint.MaxValue, (nuint)alignment); },
                () => { Heap.FreeAligned(block, 100, (nuint)alignment); },
            ])
        {
            ArgumentException e = Assert.ThrowsAny<ArgumentException>(action);
            Assert.Equal("alignment", e.ParamName);
            Assert.Contains(alignment.ToString(CultureInfo.InvariantCulture), e.Message, StringComparison.Ordinal);
        }

        Verify(block, stamp);
        Heap.Free(block, 100);
        VerifyNothingInUse();
    }
}
