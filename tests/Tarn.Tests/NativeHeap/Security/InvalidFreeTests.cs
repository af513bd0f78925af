using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>
/// invalid_free, _alloca, _close, _far, _stack, _unaligned, _unaligned_multiple; blocks of another heap; and the size mismatch of a
/// sized delete, with its relatives that take one kind of block for another.
/// </summary>
public unsafe class InvalidFreeTests : SecurityTest
{
    [Fact]
    public void An_address_that_never_was_anything_is_freed() =>
        AssertForeignFree(() => Heap.Free((void*)0x1234_5670), "0x12345670", "no block of this heap");

    [Theory]
    [MemberData(nameof(Sizes))]
    public void An_address_close_by_is_freed(int length)
    {
        byte* block = AllocateHere((nuint)length);

        BufferIncident incident = AssertForeignFree(() => FreeHere(block - 8), "before the beginning of", $"{(nuint)block:x}", "offset -8");
        AssertNamesBoth(incident);
        Heap.Free(block);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void The_end_of_a_block_is_freed(int length)
    {
        byte* block = AllocateHere((nuint)length);

        BufferIncident incident =
            AssertForeignFree(() => FreeHere(block + length), "past the end of", $"{(nuint)block:x}", $"offset {length}");
        AssertNamesBoth(incident);
        Heap.Free(block);
    }

    [Fact]
    public void An_address_far_away_is_freed()
    {
        byte* block = Heap.Allocate(64);

        AssertForeignFree(() => Heap.Free(block + (1UL << 40)), "no block of this heap");
        Heap.Free(block);
    }

    [Fact]
    public void The_stack_is_freed()
    {
        long local = 42;

        BufferIncident incident = AssertForeignFree(() => FreeHere(AddressOf(ref local)), "no block of this heap");
        Assert.Contains(nameof(FreeHere), incident.ReturnedAt, StringComparison.Ordinal);
        Assert.Equal(42, local);
    }

    [Fact]
    public void Stack_memory_of_variable_size_is_freed()
    {
        byte* memory = stackalloc byte[256];
        memory[0] = 42;

        AssertForeignFree(() => Heap.Free(memory, 256), "no block of this heap");
        Assert.Equal(42, memory[0]);
    }

    [Fact]
    public void Memory_of_the_garbage_collector_is_freed()
    {
        byte[] array = GC.AllocateArray<byte>(100, pinned: true);

        AssertForeignFree(() => Heap.Free(Marshal.UnsafeAddrOfPinnedArrayElement(array, 0).ToPointer()), "no block of this heap");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(99)]
    public void A_misaligned_or_interior_pointer_is_freed(int offset)
    {
        byte* block = AllocateHere(100);

        BufferIncident incident =
            AssertForeignFree(() => FreeHere(block + offset), "interior of", "of 100 bytes", $"offset {offset}, in use");
        AssertNamesBoth(incident);
        Heap.Free(block);
    }

    [Fact]
    public void Pointers_into_a_large_buffer_are_refused_at_multiples_of_the_block_alignment()
    {
        byte* block = AllocateHere(4 << 20);
        for (int offset = 64; offset < 4 << 20; offset *= 4)
        {
            Assert.Throws<InvalidOperationException>(() => Heap.Free(block + offset));
        }

        Heap.Free(block, 4 << 20);
    }

    [Fact]
    public void The_interior_of_a_freed_block_is_freed()
    {
        byte* block = AllocateHere(100);
        FreeHere(block);

        BufferIncident incident = AssertForeignFree(() => Heap.Free(block + 16), "interior of", "offset 16, freed already");
        AssertNamesBoth(incident);
    }

    [Fact]
    public void A_block_of_another_heap_is_freed_here_and_the_message_names_that_heap()
    {
        using CheckedHeapUnderTest other = new(BufferChecks.All);
        byte* theirs = other.Allocate(48);

        AssertForeignFree(() => Heap.Free(theirs, 48), "no block of this heap", "of 48 bytes", other.Name);

        Assert.Equal(1, other.InUseBlocks);
        other.Free(theirs, 48);
    }

    [Theory]
    [InlineData(96, 112)]
    [InlineData(100, 99)]
    [InlineData(100, 112)]
    [InlineData(1, 2)]
    [InlineData(2, 1)]
    [InlineData(200_000, 16)]
    public void A_block_is_freed_with_the_size_of_another_type(int size, int believed)
    {
        byte* block = AllocateHere((nuint)size);

        BufferIncident incident = AssertForeignFree(
            () => Heap.Free(block, (nuint)believed), $"of {size} bytes is not one of {believed} bytes");
        Assert.Contains(nameof(AllocateHere), incident.RentedAt, StringComparison.Ordinal);
        Heap.Free(block, (nuint)size);
    }

    [Fact]
    public void One_element_is_freed_as_an_array_and_an_array_as_one_element()
    {
        byte* element = Heap.Allocate(24);
        byte* array = Heap.Allocate(10 * 24);
        AssertForeignFree(() => Heap.Free(element, 10 * 24), "is not one of 240 bytes");
        Assert.Throws<InvalidOperationException>(() => Heap.Free(array, 24));

        Heap.Free(element, 24);
        Heap.Free(array, 240);
    }

    [Fact]
    public void A_block_is_freed_with_another_alignment()
    {
        byte* block = Heap.AllocateAligned(100, 4096);
        Assert.Equal((nuint)0, (nuint)block % 4096);

        AssertForeignFree(() => Heap.FreeAligned(block, 100, 64), "an alignment of 4096, not of 64");
        Assert.Throws<InvalidOperationException>(() => Heap.Free(block, 100));
        Heap.FreeAligned(block, 100, 4096);
    }

    [Fact]
    public void A_block_is_reallocated_with_a_wrong_size()
    {
        byte* block = Heap.Allocate(100);
        block[0] = 5;

        AssertForeignFree(() => Heap.Reallocate(block, 101, 200), "is not one of 101 bytes");
        Assert.Equal(5, block[0]);
        Heap.Free(block, 100);
    }

    private static void* AddressOf(ref long local)
    {
        fixed (long* address = &local)
        {
            return address;
        }
    }
}
