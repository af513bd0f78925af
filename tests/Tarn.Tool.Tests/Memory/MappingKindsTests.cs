using Tarn.Tool.Memory.Mappings;

namespace Tarn.Tool.Tests.Memory;

/// <summary>Lists of mappings as kernels write them, of which some have no names and no marks for stacks.</summary>
public class MappingKindsTests
{
    private const string Anonymous = "00000000 00:00 0";
    private const string Used = "rd wr mr mw me ac";
    private const string Reserved = "mr mw me dd";
    private const string Unreserved = "rd wr mr mw me nr";
    private const string UnreservedGuard = "mr mw me nr";

    [Fact]
    public void A_list_is_read_with_its_sizes_and_flags()
    {
        IReadOnlyList<Mapping> mappings = MappingList.Read(new StringReader(
            """
            7f0000000000-7f0000010000 rw-p 00000000 00:00 0                          [anon:a name: with colons]
            Size:                 64 kB
            Rss:                  48 kB
            AnonHugePages:         4 kB
            Swap:                  8 kB
            VmFlags: rd wr mr nr
            7f0000010000-7f0000011000 r-xp 00001000 fe:00 17    /opt/a program/lib one.so (deleted)
            Rss:                   4 kB
            """));

        Assert.Equal(2, mappings.Count);
        Assert.Equal((48 << 10, 4 << 10, 8 << 10), (mappings[0].Resident, mappings[0].HugePages, mappings[0].Swapped));
        Assert.Equal("[anon:a name: with colons]", mappings[0].Name);
        Assert.True(mappings[0].Has("nr") && !mappings[0].Has("r"));
        Assert.Equal("/opt/a program/lib one.so (deleted)", mappings[1].Name);
        Assert.Throws<InvalidDataException>(() => MappingList.Read(new StringReader("Rss: 4 kB")));
    }

    [Fact]
    public void Each_name_tells_its_kind() => AssertKinds(
        ("00400000-00401000 r--p", "[anon:Tarn]", Used, MappingKind.Tarn),
        ("00401000-00402000 rw-p", "[anon:stack of someone]", Used, MappingKind.Named),
        ("00402000-00403000 rw-p", "[heap]", Used, MappingKind.MainHeap),
        ("00403000-00404000 rw-p", "[stack]", Used, MappingKind.Stack),
        ("00404000-00405000 r-xs", "/memfd:doublemapper (deleted)", Used, MappingKind.Code),
        ("00405000-00406000 rw-s", "/memfd:doublemapper (deleted)", Used, MappingKind.LoaderHeap),
        ("00406000-00407000 rw-s", "/dev/shm/a ring", Used, MappingKind.Shared),
        ("00407000-00408000 rw-s", "/memfd:mine (deleted)", Used, MappingKind.Shared),
        ("00408000-00409000 r--p", "/app/Some.dll", Used, MappingKind.Assembly),
        ("00409000-0040a000 r-xp", "/lib/libc.so.6", Used, MappingKind.Library),
        ("0040a000-0040b000 rw-p", "/lib/libc.so.6", Used, MappingKind.Library),
        ("0040b000-0040c000 rw-p", "", Used, MappingKind.Library),
        ("0040d000-0040e000 r-xp", "/app/server", Used, MappingKind.Library),
        ("0040e000-0040f000 r--s", "/app/data.bin", Used, MappingKind.File),
        ("00410000-00411000 r-xp", "[vdso]", Used, MappingKind.Kernel));

    [Fact]
    public void The_collector_has_the_large_reservation_and_the_compiler_the_one_with_code() => AssertKinds(
        ("10000000-10100000 rw-p", "", Used, MappingKind.GarbageCollector),
        ("10100000-20000000 ---p", "", Reserved, MappingKind.GarbageCollector),
        ("20000000-20200000 rw-p", "", Used, MappingKind.GarbageCollector),
        ("20200000-40000000 ---p", "", Reserved, MappingKind.GarbageCollector),

        // DOTNET_EnableWriteXorExecute=0 maps code once.
        ("50000000-50010000 rwxp", "", Used, MappingKind.Code),
        ("50010000-50020000 rw-p", "", Used, MappingKind.LoaderHeap),
        ("50020000-90000000 ---p", "", Reserved, MappingKind.LoaderHeap),
        ("a0000000-a0010000 rw-p", "", Used, MappingKind.LoaderHeap),
        ("a0010000-a0400000 ---p", "", Reserved, MappingKind.LoaderHeap));

    [Fact]
    public void Heaps_of_arenas_are_found_also_side_by_side_and_full()
    {
        Mapping[] mappings = Lines(
            ("7f0000000000-7f0000021000 rw-p", "", Unreserved, default),
            ("7f0000021000-7f0004000000 ---p", "", UnreservedGuard, default),

            // Full, and merged with the next.
            ("7f0004000000-7f0008021000 rw-p", "", Unreserved, default),
            ("7f0008021000-7f000c000000 ---p", "", UnreservedGuard, default),

            // Mapped without a reservation as well, at another place.
            ("7f000d000000-7f0011000000 rw-p", "", Unreserved, default));

        MappingKinds kinds = MappingKinds.Of(mappings);

        Assert.Equal([0x7f0000000000, 0x7f0004000000, 0x7f0008000000], kinds.ArenaHeaps);
        Assert.Equal(MappingKind.Unnamed, kinds.All[^1]);
        Assert.All(kinds.All.SkipLast(1), kind => Assert.Equal(MappingKind.Arena, kind));
    }

    [Fact]
    public void What_does_not_begin_as_a_heap_of_an_arena_is_none()
    {
        Mapping[] mappings = Lines(
            ("00400000-00401000 r--p", "/app/Tarn.dll", Used, default),
            ("7f0000000000-7f0000021000 rw-p", "", Unreserved, default),
            ("7f0000021000-7f0004000000 ---p", "", UnreservedGuard, default),
            ("7f0004000000-7f0004400000 rw-p", "", Unreserved, default),
            ("7f0004400000-7f0008000000 ---p", "", UnreservedGuard, default));

        MappingKinds kinds = MappingKinds.Of(mappings, heap => heap == 0x7f0000000000);

        Assert.Equal([0x7f0000000000], kinds.ArenaHeaps);
        Assert.Equal([MappingKind.Arena, MappingKind.Arena, MappingKind.Tarn, MappingKind.Tarn], kinds.All.Skip(1));
    }

    [Fact]
    public void A_stack_has_a_guard_and_where_kernels_mark_stacks_the_mark()
    {
        const string Marked = "rd wr mr mw me ac nh";
        AssertKinds(
            ("7f0000000000-7f0000001000 ---p", "", "mr mw me nh", MappingKind.Unnamed),
            ("7f0000001000-7f0000801000 rw-p", "", Marked, MappingKind.Stack),
            ("7f0000900000-7f0000901000 ---p", "", "mr mw me", MappingKind.Unnamed),
            ("7f0000901000-7f0000a00000 rw-p", "", Used, MappingKind.Unnamed));
        AssertKinds(
            ("7f0000900000-7f0000901000 ---p", "", "mr mw me", MappingKind.Unnamed),
            ("7f0000901000-7f0000a00000 rw-p", "", Used, MappingKind.Stack));
    }

    [Fact]
    public void Without_names_unreserved_mappings_are_of_Tarn_where_it_is_loaded() => AssertKinds(
        ("00400000-00401000 r--p", "/app/Tarn.dll", Used, MappingKind.Assembly),
        ("7f0001000000-7f0002000000 rw-p", "", Unreserved, MappingKind.Tarn));

    [Fact]
    public void Unreserved_mappings_are_of_the_allocator_where_one_is_loaded() => AssertKinds(
        ("00400000-00401000 r--p", "/app/Tarn.dll", Used, MappingKind.Assembly),
        ("00401000-00402000 r-xp", "/usr/lib/libjemalloc.so.2", Used, MappingKind.Library),
        ("7f0000000000-7f0004000000 rw-p", "", Unreserved, MappingKind.Allocator),
        ("7f0005000000-7f0006000000 rw-p", "", Used, MappingKind.Unnamed));

    private static void AssertKinds(params (string Range, string Name, string Flags, MappingKind Kind)[] lines) =>
        Assert.Equal(lines.Select(line => line.Kind), MappingKinds.Of(Lines(lines)).All);

    private static Mapping[] Lines(params (string Range, string Name, string Flags, MappingKind Kind)[] lines) =>
    [
        .. MappingList.Read(new StringReader(string.Join(
            '\n', lines.Select(line => $"{line.Range} {Anonymous}    {line.Name}\nRss: 4 kB\nVmFlags: {line.Flags}")))),
    ];
}
