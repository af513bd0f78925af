using System.Runtime.CompilerServices;

namespace Tarn.Tests.Platform;

/// <summary>The contract of every implementation of <see cref="VirtualMemory"/>, on any system.</summary>
public abstract unsafe class VirtualMemoryContract
{
    private readonly VirtualMemory _memory;

    private protected VirtualMemoryContract(VirtualMemory memory) => _memory = memory;

    private nuint Unit => _memory.OsPageSize;

    [Fact]
    public void The_os_page_size_is_the_systems() => Assert.Equal((nuint)Environment.SystemPageSize, Unit);

    [Theory]
    [InlineData(1, 4 << 10)]
    [InlineData(1, 64 << 10)]
    [InlineData(16, 64 << 10)]
    [InlineData(1, 2 << 20)]
    [InlineData(512, 2 << 20)]
    [InlineData(1000, 2 << 20)]
    [InlineData(1, 1 << 30)]
    [InlineData(100_000, 1 << 30)]
    public void A_reservation_is_aligned_and_all_of_it_can_be_used(int units, int alignment)
    {
        nuint size = Unit * (nuint)units;
        nuint atLeast = Math.Max((nuint)alignment, Unit);
        nint[] addresses = [.. Enumerable.Range(0, 5).Select(_ => _memory.Reserve(size, atLeast))];

        Assert.DoesNotContain(0, addresses);
        foreach (nint address in addresses)
        {
            Assert.Equal(0u, (nuint)address % atLeast);
            Assert.True(_memory.Commit(address, Unit));
            Assert.True(_memory.Commit(address + (nint)(size - Unit), Unit));
            Fill(address, Unit, (byte)address);
            Fill(address + (nint)(size - Unit), Unit, (byte)address);
        }

        foreach (nint address in addresses)
        {
            _memory.Release(address, size);
        }
    }

    [Theory]
    [InlineData(62, 12)]
    [InlineData(62, 30)]
    [InlineData(63, 62)]
    public void More_than_any_address_space_has_is_refused(int sizeBits, int alignmentBits) =>
        Assert.Equal(0, _memory.Reserve((nuint)1 << sizeBits, Math.Max((nuint)1 << alignmentBits, Unit)));

    [Fact]
    public void A_size_that_wraps_with_its_alignment_is_refused() => Assert.Equal(0, _memory.Reserve(0 - Unit, (nuint)1 << 40));

    [Fact]
    public void Committed_memory_is_zero_and_keeps_written_bytes()
    {
        nint address = Reserve(64);
        Assert.True(_memory.Commit(address, Unit * 64));
        AssertAll(address, Unit * 64, 0);
        Fill(address, Unit * 64, 7);
        AssertAll(address, Unit * 64, 7);
        _memory.Release(address, Unit * 64);
    }

    [Fact]
    public void Committing_a_partly_committed_range_changes_no_committed_byte_and_zeros_the_rest()
    {
        nint address = Reserve(8);
        nint middle = At(address, 3);
        Assert.True(_memory.Commit(middle, Unit * 2));
        Fill(middle, Unit * 2, 9);

        Assert.True(_memory.Commit(address, Unit * 8));
        Assert.True(_memory.Commit(address, Unit * 8));

        AssertAll(address, Unit * 3, 0);
        AssertAll(middle, Unit * 2, 9);
        AssertAll(At(address, 5), Unit * 3, 0);
        _memory.Release(address, Unit * 8);
    }

    [Theory]
    [InlineData(0, 8)]
    [InlineData(0, 3)]
    [InlineData(2, 4)]
    [InlineData(7, 1)]
    public void Decommitted_memory_is_zero_when_it_is_committed_again_and_its_neighbours_keep_their_contents(int first, int count) =>
        AssertZeroWhenCommittedAgain(first, count, _memory.Decommit);

    [Theory]
    [InlineData(0, 8)]
    [InlineData(0, 3)]
    [InlineData(2, 4)]
    [InlineData(7, 1)]
    public void Sealed_memory_is_zero_when_it_is_committed_again_and_its_neighbours_keep_their_contents(int first, int count) =>
        AssertZeroWhenCommittedAgain(first, count, (address, size) => Assert.True(_memory.Seal(address, size)));

    [Theory]
    [InlineData(0, 8)]
    [InlineData(0, 3)]
    [InlineData(2, 4)]
    [InlineData(7, 1)]
    public void Discarded_memory_can_be_used_without_asking_and_its_neighbours_keep_their_contents(int first, int count)
    {
        nint address = Reserve(8);
        Assert.True(_memory.Commit(address, Unit * 8));
        Fill(address, Unit * 8, 5);

        _memory.Discard(At(address, first), Unit * (nuint)count);

        AssertAll(address, Unit * (nuint)first, 5);
        AssertAll(At(address, first + count), Unit * (nuint)(8 - first - count), 5);
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)At(address, first), (int)Unit * count).IndexOfAnyExcept((byte)0, (byte)5));
        Fill(address, Unit * 8, 6);
        AssertAll(address, Unit * 8, 6);
        _memory.Release(address, Unit * 8);
    }

    [Fact]
    public void Memory_of_every_state_can_be_sealed_and_released()
    {
        nint address = Reserve(4);
        Assert.True(_memory.Seal(address, Unit * 4));
        Assert.True(_memory.Commit(At(address, 1), Unit * 2));
        _memory.Decommit(At(address, 2), Unit);
        Assert.True(_memory.Seal(address, Unit * 4));
        Assert.True(_memory.Seal(address, Unit * 4));
        Assert.True(_memory.Commit(At(address, 1), Unit * 2));
        AssertAll(At(address, 1), Unit * 2, 0);
        _memory.Decommit(At(address, 2), Unit);
        _memory.Release(address, Unit * 4);
    }

    [Fact]
    public void A_wish_for_huge_pages_changes_nothing_that_is_seen()
    {
        nuint size = 8 << 20;
        nint address = _memory.Reserve(size, 2 << 20);
        _memory.PreferHugePages(address, size / 2);
        Assert.True(_memory.Commit(address, size));
        Fill(address, size, 3);
        _memory.PreferHugePages(address, size);
        AssertAll(address, size, 3);
        _memory.Decommit(address + (nint)Unit, size - Unit);
        Assert.True(_memory.Commit(address, size));
        AssertAll(address, Unit, 3);
        AssertAll(address + (nint)Unit, size - Unit, 0);
        _memory.Release(address, size);
    }

    [Fact]
    public void Threads_do_not_get_in_each_others_way()
    {
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, thread =>
        {
            Random random = new(thread);
            for (int round = 0; round < 200; round++)
            {
                UseOnce(random, (byte)(thread + 1));
            }
        });
    }

    private void UseOnce(Random random, byte stamp)
    {
        int units = random.Next(1, 64);
        nuint size = Unit * (nuint)units;
        nint address = _memory.Reserve(size, Unit << random.Next(0, 10));
        Assert.NotEqual(0, address);
        Assert.True(_memory.Commit(address, size));
        AssertAll(address, size, 0);
        Fill(address, size, stamp);
        Thread.Yield();
        AssertAll(address, size, stamp);

        int first = random.Next(units);
        nuint count = (nuint)random.Next(1, units - first + 1);
        if (random.Next(2) == 0)
        {
            _memory.Decommit(At(address, first), Unit * count);
        }
        else
        {
            Assert.True(_memory.Seal(At(address, first), Unit * count));
        }

        Assert.True(_memory.Commit(address, size));
        AssertAll(At(address, first), Unit * count, 0);
        AssertAll(address, Unit * (nuint)first, stamp);
        _memory.Release(address, size);
    }

    private void AssertZeroWhenCommittedAgain(int first, int count, Action<nint, nuint> giveUp)
    {
        nint address = Reserve(8);
        Assert.True(_memory.Commit(address, Unit * 8));
        Fill(address, Unit * 8, 5);

        giveUp(At(address, first), Unit * (nuint)count);
        Assert.True(_memory.Commit(address, Unit * 8));

        AssertOnlyThisIsZero(address, first, count, 5);
        Fill(address, Unit * 8, 6);
        AssertAll(address, Unit * 8, 6);
        _memory.Release(address, Unit * 8);
    }

    private nint Reserve(int units)
    {
        nint address = _memory.Reserve(Unit * (nuint)units, Unit);
        Assert.NotEqual(0, address);
        return address;
    }

    private nint At(nint address, int units) => address + (nint)(Unit * (nuint)units);

    private void AssertOnlyThisIsZero(nint address, int first, int count, byte others)
    {
        AssertAll(At(address, first), Unit * (nuint)count, 0);
        AssertAll(address, Unit * (nuint)first, others);
        AssertAll(At(address, first + count), Unit * (nuint)(8 - first - count), others);
    }

    private static void Fill(nint address, nuint size, byte value) => Unsafe.InitBlockUnaligned((void*)address, value, (uint)size);

    private static void AssertAll(nint address, nuint size, byte value) =>
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)address, (int)size).IndexOfAnyExcept(value));
}
