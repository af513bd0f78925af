using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The guarantees of every kind of named memory for regions. Each test has a directory of its own.</summary>
public abstract unsafe partial class RegionContract : IDisposable
{
    private readonly RegionDirectory _directory;

    private protected RegionContract(string kind) => _directory = RegionDirectory.Create(kind);

    private NamedMemory Names => _directory.Names;

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [SkippableTheory]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(4097)]
    [InlineData(77_777)]
    [InlineData((64 << 20) + 1)]
    public void A_region_is_zeroed_has_its_exact_size_and_is_the_same_for_every_opener(int size)
    {
        using SharedRegion region = Create("a", size);
        Assert.Equal(size, region.Size);
        Assert.Equal("a", region.Name);
        Assert.Equal(0u, (nuint)region.Pointer % 4096);
        Assert.True(BlockContents.IsAll(region.Pointer, (nuint)size, 0));
        Assert.Equal(RegionHeader.Length + size, new FileInfo(_directory.FileOf("a")).Length);

        BlockContents.Write(region.Pointer, (nuint)size, 7);
        using SharedRegion opened = Open("a");
        Assert.Equal(size, opened.Size);
        Assert.NotEqual((nint)region.Pointer, (nint)opened.Pointer);
        Assert.Equal(0u, (nuint)opened.Pointer % 4096);
        BlockContents.Verify(opened.Pointer, (nuint)size, 7);
        opened.Pointer[size - 1] ^= 0xFF;
        Assert.Equal(opened.Pointer[size - 1], region.Pointer[size - 1]);
    }

    [SkippableFact]
    public void A_size_that_is_not_positive_is_refused()
    {
        foreach (long size in (long[])[0, -1, long.MinValue])
        {
            Assert.Equal("size", Assert.Throws<ArgumentOutOfRangeException>(() => Create("a", size)).ParamName);
            Assert.Equal(
                "size",
                Assert.Throws<ArgumentOutOfRangeException>(() => SharedRegion.CreateOrOpen(Names, "a", size, options: null)).ParamName);
        }

        Assert.Empty(_directory.Files);
    }

    /// <summary>A size that no system has is refused at once, and nothing is left behind.</summary>
    [SkippableTheory]
    [InlineData(long.MaxValue)]
    [InlineData(long.MaxValue - 4095)]
    [InlineData(long.MaxValue - 4096)]
    [InlineData(long.MaxValue / 2)]
    [InlineData(1L << 50)]
    public void An_impossible_size_is_refused_and_nothing_is_left(long size)
    {
        Assert.ThrowsAny<IOException>(() => Create("a", size));
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void Spans_are_the_parts_asked_for_and_none_outside()
    {
        using SharedRegion region = Create("a", 5000);
        for (int i = 0; i < 5000; i++)
        {
            region.Pointer[i] = (byte)(i % 251);
        }

        foreach ((int offset, int length) in ((int, int)[])[(0, 5000), (0, 0), (5000, 0), (4999, 1), (4090, 20)])
        {
            Span<byte> span = region.GetSpan(offset, length);
            Assert.Equal(length, span.Length);
            Memory<byte> memory = region.GetMemory(offset, length);
            Assert.True(memory.Span.SequenceEqual(span));
            Assert.True(span.IsEmpty || span.Overlaps(memory.Span, out int distance) && distance == 0);
            Assert.True(span.IsEmpty || span[0] == (byte)(offset % 251));
            using MemoryHandle pin = memory.Pin();
            Assert.Equal((nint)(region.Pointer + offset), (nint)pin.Pointer);
        }
    }

    [SkippableTheory]
    [InlineData(-1, 0, "offset", "between 0 and 5000")]
    [InlineData(5001, 0, "offset", "between 0 and 5000")]
    [InlineData(long.MaxValue, 1, "offset", "between 0 and 5000")]
    [InlineData(long.MinValue, 1, "offset", "between 0 and 5000")]
    [InlineData(0, -1, "length", "between 0 and 5000")]
    [InlineData(0, 5001, "length", "between 0 and 5000")]
    [InlineData(1, 5000, "length", "between 0 and 4999")]
    [InlineData(5000, 1, "length", "between 0 and 0")]
    [InlineData(4999, int.MaxValue, "length", "between 0 and 1")]
    [InlineData(4999, int.MinValue, "length", "between 0 and 1")]
    public void Parts_outside_are_refused_with_the_bounds(long offset, int length, string parameter, string bounds)
    {
        using SharedRegion region = Create("a", 5000);
        ArgumentOutOfRangeException bySpan = Assert.Throws<ArgumentOutOfRangeException>(() => { region.GetSpan(offset, length); });
        ArgumentOutOfRangeException byMemory = Assert.Throws<ArgumentOutOfRangeException>(() => { region.GetMemory(offset, length); });
        Assert.All([bySpan, byMemory], thrown =>
        {
            Assert.Equal(parameter, thrown.ParamName);
            Assert.Contains(bounds, thrown.Message, StringComparison.Ordinal);
        });
    }

    [SkippableFact]
    public void A_pin_lies_in_its_memory()
    {
        using SharedRegion region = Create("a", 100);
        Assert.True(MemoryMarshal.TryGetMemoryManager<byte, MemoryManager<byte>>(region.GetMemory(10, 20), out MemoryManager<byte>? part));
        using (MemoryHandle last = part!.Pin(20))
        {
            Assert.Equal((nint)(region.Pointer + 30), (nint)last.Pointer);
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => part.Pin(21));
        Assert.Throws<ArgumentOutOfRangeException>(() => part.Pin(-1));
    }

    [SkippableFact]
    public void Huge_pages_are_a_wish_that_changes_nothing_else()
    {
        using SharedRegion region = Create("a", (4 << 20) + 3, new SharedRegionOptions { HugePages = true });
        Assert.Equal((4 << 20) + 3, region.Size);
        Assert.True(BlockContents.IsAll(region.Pointer, (4 << 20) + 3, 0));
        BlockContents.Write(region.Pointer, (4 << 20) + 3, 9);
        using SharedRegion opened = Open("a");
        BlockContents.Verify(opened.Pointer, (4 << 20) + 3, 9);
    }

    /// <summary>The process's umask removes permissions that programs request. It does not affect these.</summary>
    [SkippableTheory]
    [InlineData(
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead
            | UnixFileMode.OtherWrite)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherWrite)]
    [InlineData(UnixFileMode.None)]
    public void Permissions_are_exactly_those_asked_for(UnixFileMode mode)
    {
        Skip.If(OperatingSystem.IsWindows(), "There are no such permissions.");
        using SharedRegion region = Create("a", 1, new SharedRegionOptions { Mode = mode });
        using SharedRegion other = Create("b", 1);
        Assert.Equal(mode, new FileInfo(_directory.FileOf("a")).UnixFileMode);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, new FileInfo(_directory.FileOf("b")).UnixFileMode);
    }

    [SkippableFact]
    public void Permissions_that_there_are_not_leave_nothing_behind()
    {
        Skip.If(OperatingSystem.IsWindows(), "There are no such permissions.");
        Assert.ThrowsAny<ArgumentException>(() => Create("a", 1, new SharedRegionOptions { Mode = (UnixFileMode)(1 << 20) }));
        Assert.Empty(_directory.Files);
    }

    private SharedRegion Create(string name, long size, SharedRegionOptions? options = null) =>
        SharedRegion.Create(Names, name, size, options);

    private SharedRegion Open(string name) => SharedRegion.Open(Names, name);
}
