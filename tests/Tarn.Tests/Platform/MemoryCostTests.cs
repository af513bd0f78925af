using System.Globalization;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

/// <summary>The cost of each state to the process: address space, resident memory, mappings.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe partial class MemoryCostTests
{
    private const nuint Size = 64 << 20;

    /// <summary>The memory that the runtime may take or give back at the same time.</summary>
    private const long Noise = 16 << 20;

    private static readonly VirtualMemory s_memory = VirtualMemory.Current;

    [SkippableFact]
    public void Only_committed_and_touched_memory_is_resident_until_it_is_decommitted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Resident memory is read the way of Linux.");
        long before = ResidentBytes();
        nint address = s_memory.Reserve(Size, 2 << 20);
        Assert.True(s_memory.Commit(address, Size));
        Assert.InRange(ResidentBytes() - before, -Noise, Noise);

        Touch(address, Size);
        Assert.InRange(ResidentBytes() - before, (long)Size - Noise, (long)Size + Noise);

        s_memory.Decommit(address, Size / 2);
        Assert.InRange(ResidentBytes() - before, (long)Size / 2 - Noise, (long)Size / 2 + Noise);

        Assert.True(s_memory.Seal(address + (nint)(Size / 2), Size / 2));
        Assert.InRange(ResidentBytes() - before, -Noise, Noise);

        Assert.True(s_memory.Commit(address, Size));
        Touch(address, Size);
        s_memory.Release(address, Size);
        Assert.InRange(ResidentBytes() - before, -Noise, Noise);
    }

    [SkippableFact]
    public void A_reservation_takes_its_size_of_address_space_until_it_is_released_and_nothing_for_its_alignment()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Address space is read the way of Linux.");
        long before = AddressSpaceBytes();
        nint[] addresses = [.. Enumerable.Range(0, 8).Select(static _ => s_memory.Reserve(Size, 1 << 30))];
        Assert.DoesNotContain(0, addresses);
        Assert.All(addresses, static address => Assert.Equal((long)Size, MappedBytes(address, Size)));

        // A count of the whole process, which may give back other memory at the same time.
        Assert.InRange(AddressSpaceBytes() - before, (long)Size * 8 - Noise, (long)Size * 8 + (256 << 20));

        foreach (nint address in addresses)
        {
            s_memory.Release(address, Size);
        }

        Assert.InRange(AddressSpaceBytes() - before, -(256 << 20), 256 << 20);
    }

    [SkippableFact]
    public void Decommitting_every_other_os_page_takes_no_mappings()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Mappings are read the way of Linux.");
        nuint unit = s_memory.OsPageSize;
        nint address = s_memory.Reserve(Size, unit);
        Assert.True(s_memory.Commit(address, Size));
        int before = Mappings();
        for (nuint at = 0; at < Size; at += unit * 2)
        {
            s_memory.Decommit(address + (nint)at, unit);
        }

        Assert.InRange(Mappings() - before, -100, 100);
        s_memory.Release(address, Size);
    }

    [SkippableFact]
    public void Discarding_gives_memory_back_and_takes_no_mappings()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Mappings are read the way of Linux.");
        nuint unit = s_memory.OsPageSize;
        nint address = s_memory.Reserve(Size, unit);
        Assert.True(s_memory.Commit(address, Size));
        Touch(address, Size);
        int mappings = Mappings();
        long resident = ResidentBytes();
        for (nuint at = 0; at < Size; at += unit * 2)
        {
            s_memory.Discard(address + (nint)at, unit);
        }

        Assert.InRange(Mappings() - mappings, -100, 100);
        Assert.InRange(resident - ResidentBytes(), ((long)Size / 2) - Noise, ((long)Size / 2) + Noise);
        s_memory.Release(address, Size);
    }

    [SkippableFact]
    public void Locked_memory_stays_where_it_is_and_is_cleared()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Memory is locked the way of Linux.");
        nuint size = s_memory.OsPageSize * 4;
        nint address = s_memory.Reserve(size, s_memory.OsPageSize);
        Assert.True(s_memory.Commit(address, size));
        Skip.If(Lock(address, size) != 0, "No memory may be locked.");
        Touch(address, size);

        s_memory.Decommit(address, size);

        Assert.True(s_memory.Commit(address, size));
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)address, (int)size).IndexOfAnyExcept((byte)0));
        s_memory.Release(address, size);
    }

    private static void Touch(nint address, nuint size) => new Span<byte>((void*)address, (int)size).Fill(1);

    private static long AddressSpaceBytes() => ReadStatm(0);

    private static long ResidentBytes() => ReadStatm(1);

    private static long ReadStatm(int column) =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[column], CultureInfo.InvariantCulture) * Environment.SystemPageSize;

    /// <summary>How much of a range belongs to mappings.</summary>
    private static long MappedBytes(nint address, nuint size)
    {
        long mapped = 0;
        foreach (string line in File.ReadLines("/proc/self/maps"))
        {
            long[] ends =
            [
                .. line[..line.IndexOf(' ', StringComparison.Ordinal)]
                    .Split('-')
                    .Select(static end => long.Parse(end, NumberStyles.HexNumber, CultureInfo.InvariantCulture)),
            ];
            mapped += Math.Max(0, Math.Min(ends[1], address + (long)size) - Math.Max(ends[0], address));
        }

        return mapped;
    }

    private static int Mappings() => File.ReadLines("/proc/self/maps").Count();

    [LibraryImport("libc", EntryPoint = "mlock")]
    private static partial int Lock(nint address, nuint size);
}
