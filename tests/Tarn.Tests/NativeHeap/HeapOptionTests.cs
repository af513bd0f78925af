using System.Reflection;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The options of a heap: refused or accepted, and effective.</summary>
public sealed unsafe class HeapOptionTests
{
    public static TheoryData<NativeHeapOptions, string, string> BadOptions => new()
    {
        { new NativeHeapOptions { Name = null! }, nameof(NativeHeapOptions.Name), "null" },
        { new NativeHeapOptions { MaxRetainedBytes = -1 }, nameof(NativeHeapOptions.MaxRetainedBytes), "-1" },
        { new NativeHeapOptions { MaxRetainedBytes = long.MinValue }, nameof(NativeHeapOptions.MaxRetainedBytes), "-9223372036854775808" },
        { new NativeHeapOptions { IdleTimeout = TimeSpan.Zero }, nameof(NativeHeapOptions.IdleTimeout), "00:00:00" },
        { new NativeHeapOptions { IdleTimeout = TimeSpan.FromSeconds(-2) }, nameof(NativeHeapOptions.IdleTimeout), "-00:00:02" },
        { new NativeHeapOptions { Checks = (BufferChecks)64 }, nameof(NativeHeapOptions.Checks), "64" },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Options_out_of_range_are_refused_by_name_and_value(NativeHeapOptions options, string setting, string value)
    {
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => new NativeHeap(options));
        Assert.Equal("options", e.ParamName);
        Assert.Contains(setting, e.Message, StringComparison.Ordinal);
        Assert.Contains(value, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Null_options_are_refused() =>
        Assert.Equal("options", Assert.Throws<ArgumentNullException>(() => new NativeHeap(null!)).ParamName);

    [Fact]
    public void Options_at_the_ends_of_their_ranges_are_accepted()
    {
        foreach (NativeHeapOptions options in (NativeHeapOptions[])
            [
                new() { MaxRetainedBytes = 0 },
                new() { MaxRetainedBytes = 1 },
                new() { MaxRetainedBytes = long.MaxValue },
                new() { IdleTimeout = TimeSpan.FromTicks(1) },
                new() { IdleTimeout = Timeout.InfiniteTimeSpan },
                new() { IdleTimeout = TimeSpan.MaxValue },
                new() { Checks = BufferChecks.All | BufferChecks.SampledLeaks | BufferChecks.FromEnvironment },
            ])
        {
            using NativeHeap heap = new(options);
            foreach (nuint size in (nuint[])[1, 100, 1 << 20])
            {
                heap.Free(heap.Allocate(size), size);
                heap.Free(heap.Allocate(size), size);
            }

            Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        }
    }

    [Fact]
    public void A_heap_is_named_as_asked_or_else_after_its_type()
    {
        using NativeHeap named = new(new NativeHeapOptions { Name = "images" });
        using NativeHeap unnamed = new();
        Assert.Equal("images", named.Name);
        Assert.Equal("NativeHeap", unnamed.Name);
        Assert.NotEmpty(NativeHeap.Shared.Name);
        Assert.Same(NativeHeap.Shared, NativeHeap.Shared);
    }

    [Theory]
    [InlineData(0, 4)]
    [InlineData(1, 4)]
    [InlineData(33, 40)]
    [InlineData(65, 80)]
    [InlineData(262_145, 327_680)]
    [InlineData((1 << 30) + 1, (1 << 30) + (2 << 20))]
    public void The_size_a_request_is_rounded_up_to_can_be_asked_for(int size, int expected) =>
        Assert.Equal((nuint)expected, NativeHeap.GetBlockSize((nuint)size));

    /// <summary>Tests change a copy of options. A setting that the copy forgets has its default there.</summary>
    [Fact]
    public void A_copy_of_options_has_every_setting()
    {
        NativeHeapOptions options = new()
        {
            Name = "copied",
            Statistics = false,
            MaxRetainedBytes = 1,
            MaxBlockBytes = 1 << 20,
            IdleTimeout = TimeSpan.FromSeconds(3),
            AddMemoryPressure = true,
            ClearOnFree = true,
            Checks = BufferChecks.Leaks,
            Budget = new BufferBudget(1 << 20),
            BudgetTimeout = TimeSpan.FromSeconds(4),
            Clock = TrimClock.Shared,
            Memory = new FailingMemory(),
        };
        NativeHeapOptions copy = new(options);
        NativeHeapOptions defaults = new();
        PropertyInfo[] settings =
            typeof(NativeHeapOptions).GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        Assert.All(settings, setting => Assert.NotEqual(setting.GetValue(defaults), setting.GetValue(options)));
        Assert.All(settings, setting => Assert.Equal(setting.GetValue(options), setting.GetValue(copy)));
    }

    [Fact]
    public void Blocks_are_cleared_when_freed_where_that_is_asked_for()
    {
        using NativeHeap heap = new(new NativeHeapOptions { ClearOnFree = true, Checks = BufferChecks.None });
        foreach (nuint size in (nuint[])[4, 100, 5000, 100_000])
        {
            // The neighbour keeps the slab committed, so the freed memory may be read.
            byte* neighbour = (byte*)heap.Allocate(size);
            byte* block = (byte*)heap.Allocate(size);
            nuint usable = heap.GetUsableSize(block);
            BlockContents.Fill(neighbour, usable, 0xDB);
            foreach (Action free in (Action[])
                [
                    () => heap.Free(block, size),
                    () => heap.Free((void*)block),
                    () => heap.FreeAligned(block, size, 4),
                ])
            {
                BlockContents.Fill(block, usable, 0xDB);
                free();
                Assert.True(BlockContents.IsAll(block, usable, 0), $"A freed block of {size} bytes was not cleared.");
                Assert.True(heap.Allocate(size) == block, "The block just freed is the next to be handed out.");
            }

            Assert.True(BlockContents.IsAll(neighbour, usable, 0xDB));
        }
    }

    [Fact]
    public void A_freed_block_is_left_as_it_is_where_nothing_else_is_asked_for()
    {
        // Free blocks are listed outside the blocks: not a byte of one is written.
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        foreach (nuint size in (nuint[])[4, 8, 100, 5000, 100_000])
        {
            nint[] blocks = [.. Enumerable.Range(0, size < 1000 ? 1000 : 10).Select(_ => (nint)heap.Allocate(size))];
            nuint usable = heap.GetUsableSize((void*)blocks[0]);
            foreach (nint block in blocks)
            {
                BlockContents.Fill((void*)block, usable, 0xDB);
            }

            foreach (nint block in blocks[1..])
            {
                heap.Free((void*)block, size);
                Assert.True(BlockContents.IsAll((void*)block, usable, 0xDB), $"A freed block of {size} bytes was written.");
            }
        }
    }
}
