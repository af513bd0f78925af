using System.Globalization;
using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

/// <summary>Moving reservations by remapping. Runs alone, so that no other test maps memory at a vacated address.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class MovedMemoryTests : IDisposable
{
    private static readonly nuint s_unit = VirtualMemory.Current.OsPageSize;

    private readonly FailingMemory _memory = new();

    public void Dispose() => _memory.AssertNothingLeaks();

    [SkippableTheory]
    [InlineData(1, 4, 0)]
    [InlineData(3, 4, 1)]
    [InlineData(8, 8, 0)]
    [InlineData(600, 4000, 3400)]
    public void A_move_brings_the_contents_and_leaves_the_rest_of_the_target_reserved(int units, int targetUnits, int at)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        nuint size = s_unit * (nuint)units;
        nuint targetSize = s_unit * (nuint)targetUnits;
        nint source = Stamped(size);
        nint target = _memory.Reserve(targetSize, 2 << 20);
        nint place = target + (nint)(s_unit * (nuint)at);

        Assert.True(_memory.TryMove(source, size, place, size));

        AssertStamped(place, size);
        Assert.Equal((target, targetSize), Assert.Single(_memory.Reservations));
        Assert.True(_memory.Commit(target, targetSize));
        AssertStamped(place, size);
        nint after = place + (nint)size;
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)after, (int)(target + (nint)targetSize - after)).IndexOfAnyExcept((byte)0));
        _memory.Release(target, targetSize);
    }

    /// <summary>A source of two mappings is one that most kernels do not move.</summary>
    [SkippableFact]
    public void A_growing_move_commits_the_added_part_and_leaves_one_mapping()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        nuint size = s_unit * 100;
        nint address = Stamped(size);
        for (int i = 0; i < 4; i++)
        {
            nint target = _memory.Reserve(size * 2, 2 << 20);
            Assert.True(_memory.TryMove(address, size, target, size * 2));

            AssertStamped(target, size);
            Assert.Equal(-1, new ReadOnlySpan<byte>((void*)(target + (nint)size), (int)size).IndexOfAnyExcept((byte)0));
            (address, size) = (target, size * 2);
            Stamp(address, size);
            Assert.Equal(1, CountMappings(address, size));
        }

        _memory.Release(address, size);
    }

    [SkippableFact]
    public void A_large_buffer_stays_one_mapping_however_often_it_grows()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        using NativeHeap heap = new(new NativeHeapOptions { Memory = _memory, Checks = BufferChecks.None });
        nuint size = 512 << 10;
        void* block = heap.Allocate(size);
        for (int i = 1; i <= 6; i++)
        {
            Stamp((nint)block, size);
            block = heap.Reallocate(block, size, size * 2);
            AssertStamped((nint)block, size);
            size *= 2;
            Assert.Equal((1, i), (CountMappings((nint)block, size), _memory.CallsOf(MemoryCall.TryMove)));
        }

        heap.Free(block, size);
    }

    /// <remarks>So large that nothing the runtime maps by itself is put there at once.</remarks>
    [SkippableFact]
    public void A_move_leaves_nothing_where_the_source_was()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        nuint size = 256 << 20;
        nint source = _memory.Reserve(size, s_unit);
        nint target = _memory.Reserve(size, s_unit);
        Assert.True(_memory.Commit(source, size));
        Assert.True(IsAllMapped(source, size));

        Assert.True(_memory.TryMove(source, size, target, size));

        Assert.False(IsAllMapped(source, size));
        _memory.Release(target, size);
    }

    [SkippableFact]
    public void Moved_memory_can_be_decommitted_and_moved_again()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        nuint size = s_unit * 16;
        nint source = Stamped(size);
        nint next = _memory.Reserve(size, s_unit);
        Assert.True(_memory.TryMove(source, size, next, size));
        nint last = _memory.Reserve(size * 2, s_unit);
        Assert.True(_memory.TryMove(next, size, last, size));
        AssertStamped(last, size);

        _memory.Decommit(last, size);
        Assert.True(_memory.Commit(last, size * 2));
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)last, (int)(size * 2)).IndexOfAnyExcept((byte)0));
        _memory.Release(last, size * 2);
    }

    /// <summary>Some kernels move a source of two mappings, some refuse it after they cleared the target away.</summary>
    [Fact]
    public void A_move_of_parts_that_differ_is_done_or_changes_nothing()
    {
        nuint size = 4 << 20;
        nint source = _memory.Reserve(size, 2 << 20);
        Assert.True(_memory.Commit(source, size));
        _memory.PreferHugePages(source, size / 2);
        Stamp(source, size);
        nint target = _memory.Reserve(size * 2, 2 << 20);

        bool moved = _memory.TryMove(source, size, target, size);

        AssertStamped(moved ? target : source, size);
        Assert.True(_memory.Commit(target, size * 2));
        _memory.Release(target, size * 2);
        if (!moved)
        {
            _memory.Release(source, size);
        }
    }

    /// <summary>The state of the target after a refused move, as kernels differ in whether they unmap it first.</summary>
    [SkippableFact]
    public void A_hole_is_reserved_again_and_existing_mappings_stay()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only Linux moves mappings.");
        LinuxVirtualMemory linux = new();
        nuint size = 256 << 20;
        nint address = linux.Reserve(size, s_unit);
        linux.Release(address, size);
        Assert.False(linux.Commit(address, size));

        linux.ReserveAgain(address, size);
        Assert.True(linux.Commit(address, size));
        Stamp(address, s_unit);

        linux.ReserveAgain(address, size);
        AssertStamped(address, s_unit);
        linux.Release(address, size);
    }

    /// <summary>Nothing is ever mapped at 64 KiB, so there is nothing to move from there.</summary>
    [Fact]
    public void A_move_that_the_system_refuses_leaves_the_target_reserved()
    {
        nuint size = s_unit * 4;
        nint target = _memory.Reserve(size * 2, s_unit);

        Assert.False(VirtualMemory.Current.TryMove(64 << 10, size, target, size));

        Assert.True(_memory.Commit(target, size * 2));
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)target, (int)(size * 2)).IndexOfAnyExcept((byte)0));
        _memory.Release(target, size * 2);
    }

    private nint Stamped(nuint size)
    {
        nint address = _memory.Reserve(size, s_unit);
        Assert.True(_memory.Commit(address, size));
        Stamp(address, size);
        return address;
    }

    private static void Stamp(nint address, nuint size)
    {
        for (nuint at = 0; at < size; at += sizeof(int))
        {
            *(int*)(address + (nint)at) = (int)at + 1;
        }
    }

    private static void AssertStamped(nint address, nuint size)
    {
        for (nuint at = 0; at < size; at += sizeof(int))
        {
            Assert.Equal((int)at + 1, *(int*)(address + (nint)at));
        }
    }

    private static bool IsAllMapped(nint address, nuint size)
    {
        foreach ((nint begin, nint end) in Mappings())
        {
            if (begin <= address && address < end)
            {
                // Mappings are listed by address, so the next one continues this one or there is a gap.
                nint covered = Math.Min(end, address + (nint)size);
                size -= (nuint)(covered - address);
                address = covered;
            }
        }

        return size == 0;
    }

    private static int CountMappings(nint address, nuint size) =>
        Mappings().Count(mapping => mapping.Begin < address + (nint)size && address < mapping.End);

    private static IEnumerable<(nint Begin, nint End)> Mappings() =>
        from line in File.ReadLines("/proc/self/maps")
        let ends = line[..line.IndexOf(' ')].Split('-')
        let begin = ulong.Parse(ends[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
        let end = ulong.Parse(ends[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
        where end <= long.MaxValue
        select ((nint)begin, (nint)end);
}
