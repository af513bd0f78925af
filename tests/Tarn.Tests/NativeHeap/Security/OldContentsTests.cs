using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>
/// zero_after_free, zero_on_malloc, malloc_reuse, _downsize, realloc_reuse: later users of a block do not see its old contents.
/// </summary>
public unsafe class OldContentsTests : SecurityTest
{
    private const byte Secret = 0x5A;

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_freed_block_holds_nothing_of_its_contents(int length)
    {
        byte* block = AllocateSecret((nuint)length);
        Heap.Free(block);

        Assert.False(new Span<byte>(block, length).Contains(Secret));
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Contents_do_not_reach_the_next_owners(int length)
    {
        for (int i = 0; i < 20; i++)
        {
            Heap.Free(AllocateSecret((nuint)length));
        }

        Heap.Trim();
        for (int i = 0; i < 40; i++)
        {
            byte* next = Heap.Allocate((nuint)length);
            Assert.False(new Span<byte>(next, length).Contains(Secret));
            Heap.Free(next);
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Zeroed_blocks_are_zero_whatever_was_there(int length)
    {
        for (int i = 0; i < 20; i++)
        {
            Heap.Free(AllocateSecret((nuint)length));
            Heap.Trim();
            byte* zeroed = Heap.AllocateZeroed((nuint)length);
            Assert.False(new Span<byte>(zeroed, length).ContainsAnyExcept((byte)0));
            Heap.Free(zeroed);
        }
    }

    [Theory]
    [InlineData(4000, 100)]
    [InlineData(4000, 3999)]
    [InlineData(1 << 20, 200_000)]
    public void A_smaller_block_is_not_made_of_a_stale_one(int length, int smaller)
    {
        byte* stale = AllocateSecret((nuint)length);
        Heap.Free(stale);
        byte* next = Heap.Allocate((nuint)smaller);

        Assert.False(next >= stale && next < stale + length);
        Heap.Free(next);
    }

    [Theory]
    [InlineData(1000, 100)]
    [InlineData(1000, 1000)]
    [InlineData(1000, 1 << 20)]
    public void The_old_block_of_a_reallocation_contains_nothing(int length, int newLength)
    {
        byte* block = AllocateSecret((nuint)length);
        byte* moved = Heap.Reallocate(block, (nuint)length, (nuint)newLength);

        Assert.True(moved != block);
        Assert.Equal(Math.Min(length, newLength), new Span<byte>(moved, newLength).Count(Secret));
        Assert.False(new Span<byte>(block, length).Contains(Secret));
        Heap.Free(moved);
    }

    [Fact]
    public void A_block_larger_than_the_cap_holds_nothing_either()
    {
        using CheckedHeapUnderTest heap = new(BufferChecks.All, new NativeHeapOptions { MaxRetainedBytes = 0 });
        byte* block = heap.Allocate(5000);
        NativeMemory.Fill(block, 5000, Secret);
        heap.Free(block);
        byte* next = heap.Allocate(5000);

        Assert.False(new Span<byte>(next, 5000).Contains(Secret));
        heap.Free(next);
    }

    /// <summary>executable_heap: bytes written to a block cannot be executed.</summary>
    [Fact]
    public void No_block_lies_in_executable_memory()
    {
        if (!File.Exists("/proc/self/maps"))
        {
            return;
        }

        foreach (nuint size in (nuint[])[16, 4096, 1 << 20])
        {
            byte* block = Heap.Allocate(size);
            string mapping = File.ReadLines("/proc/self/maps").Single(line => Holds(line, (nuint)block));
            Assert.Equal("rw-p", mapping.Split(' ')[1]);
            Heap.Free(block, size);
        }
    }

    private static bool Holds(string line, nuint address)
    {
        string[] range = line.Split(' ')[0].Split('-');
        return address >= Convert.ToUInt64(range[0], 16) && address < Convert.ToUInt64(range[1], 16);
    }

    private byte* AllocateSecret(nuint size)
    {
        byte* block = Heap.Allocate(size);
        NativeMemory.Fill(block, size, Secret);
        return block;
    }
}
