namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>read_zero_size, write_zero_size, both of them freed; impossibly_large_malloc.</summary>
public unsafe class OddSizeTests : SecurityTest
{
    [Fact]
    public void A_block_of_size_zero_is_read_and_shows_nothing_of_others()
    {
        byte* other = Heap.Allocate(64);
        new Span<byte>(other, 64).Fill(0x5A);
        Heap.Free(other);
        byte* block = AllocateHere(0);

        Assert.Equal((nuint)1, Heap.GetUsableSize(block));
        Assert.False(new Span<byte>(block, 32).Contains((byte)0x5A));
        FreeHere(block);
        Assert.False(new Span<byte>(block, 32).Contains((byte)0x5A));
        Incidents.AssertNone();
    }

    [Fact]
    public void A_block_of_size_zero_is_written_to_beyond_the_one_byte_it_has()
    {
        byte* block = AllocateHere(0);
        block[0] = 1;
        block[1] = 1;
        FreeHere(block);

        AssertFound(BufferIncidentKind.Overrun, 1, "offset 1, past its end, is 01");
    }

    [Fact]
    public void A_freed_block_of_size_zero_is_written_to()
    {
        byte* block = AllocateHere(0);
        FreeHere(block);
        *block = 1;
        Heap.Trim();

        AssertFound(BufferIncidentKind.UseAfterReturn, 1, "offset 0");
    }

    [Fact]
    public void A_block_of_size_zero_is_freed_twice()
    {
        byte* block = AllocateHere(0);
        FreeHere(block);

        AssertDoubleFree(() => FreeHere(block), 1);
    }

    [Theory]
    [InlineData(ulong.MaxValue)]
    [InlineData(ulong.MaxValue - 15)]
    [InlineData(ulong.MaxValue - 63)]
    [InlineData(ulong.MaxValue - 64)]
    [InlineData(ulong.MaxValue - 4096)]
    [InlineData(ulong.MaxValue - (2 << 20))]
    [InlineData((1UL << 63) + 1)]
    [InlineData(1UL << 63)]
    [InlineData((1UL << 63) - 1)]
    [InlineData((1UL << 63) - (2 << 20))]
    [InlineData(1UL << 62)]
    [InlineData(1UL << 48)]
    public void Impossible_sizes_are_refused_and_change_nothing(ulong length)
    {
        nuint size = (nuint)length;
        byte* block = Heap.Allocate(100);
        block[99] = 9;
        foreach (Action impossible in (Action[])
            [
                () => Heap.Allocate(size),
                () => Heap.AllocateZeroed(size),
                () => Heap.AllocateAligned(size, 1),
                () => Heap.AllocateAligned(size, 2 << 20),
                () => Heap.Reallocate(block, 100, size),
                () => Heap.Reallocate(null, 0, size),
            ])
        {
            Assert.Throws<OutOfMemoryException>(impossible);
            Assert.Equal((1, 0), (Heap.InUseBlocks, Heap.RetainedBytes));
            Heap.Validate();
        }

        Assert.Equal(9, block[99]);
        Heap.Free(block, 100);
        Incidents.AssertNone();
    }
}
