namespace Tarn.Tests.NativeHeaps;

public class SlabClassTests
{
    [Fact]
    public void The_index_of_every_offset_in_a_slab_is_that_of_the_division()
    {
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            SlabClass slabs = CreateClass(index);
            nint size = (nint)slabs.BlockSize;
            nint end = slabs.GranulesPerSlab * (nint)Region.GranuleSize;
            for (nint offset = 0; offset < end; offset++)
            {
                if (slabs.IndexOf(offset) != (offset % size == 0 ? offset / size : -1))
                {
                    Assert.Fail($"Offset {offset} in a slab of {size} bytes a block has index {slabs.IndexOf(offset)}.");
                }
            }
        }
    }

    [Fact]
    public void A_slab_holds_many_blocks_and_leaves_little_over()
    {
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            SlabClass slabs = CreateClass(index);
            nuint bytes = (nuint)slabs.GranulesPerSlab * Region.GranuleSize;
            nuint left = bytes - ((nuint)slabs.BlocksPerSlab * slabs.BlockSize);

            Assert.InRange(slabs.BlocksPerSlab, slabs.BlockSize <= 16 << 10 ? 32 : 4, int.MaxValue);
            Assert.InRange(left, (nuint)0, bytes / 50);
        }
    }

    private static SlabClass CreateClass(int index) => new(index, VirtualMemory.Current.OsPageSize);
}
