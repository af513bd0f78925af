
namespace Tarn.Tests.NativeHeaps;

/// <summary>The memory of free blocks amid blocks in use: exactly the OS pages that no block in use lies in go back, once.</summary>
public sealed unsafe class DiscardedMemoryTests : HeapWithManualClock
{
    public static TheoryData<int, int> Sizes
    {
        get
        {
            TheoryData<int, int> sizes = [];
            foreach (int size in (int[])[4, 48, 1000, 4096, 5000, 20_480, 98_304, 262_144])
            {
                for (int seed = 1; seed <= 4; seed++)
                {
                    sizes.Add(size, seed);
                }
            }

            return sizes;
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Exactly_the_os_pages_without_a_block_in_use_are_discarded(int blockSize, int seed)
    {
        Random random = new(seed);
        int oneIn = Math.Max(3, seed * (16 << 10) / blockSize);
        NativeHeap heap = Create();
        nint[] blocks = Allocate(heap, (nuint)blockSize, (4 << 20) / blockSize);
        HashSet<nint> inUse = [.. blocks.Where(_ => random.Next(oneIn) == 0)];
        Free(heap, (nuint)blockSize, [.. blocks.Where(block => !inUse.Contains(block))]);

        heap.Trim();

        HashSet<nint> discarded = [.. _memory.Discards.SelectMany(static range => PagesOf(range.Address, range.Size))];
        HashSet<nint> occupied = [.. inUse.SelectMany(block => PagesOf(block, (nuint)blockSize))];
        HashSet<nint> committed = [.. _memory.CommittedRanges.SelectMany(static range => PagesOf(range.Address, range.Size))];
        Assert.NotEmpty(discarded);
        Assert.Empty(discarded.Intersect(occupied));
        nint[] kept = [.. committed.Except(discarded).Except(occupied).Order()];
        Assert.True(
            kept.Length == 0,
            $"{kept.Length} of {committed.Count} committed pages hold no block in use and were not discarded: "
                + $"{string.Join(", ", kept.Take(20).Select(static page => $"{page:x}"))}. "
                + $"Discarded: {discarded.Count}, occupied: {occupied.Count}. {heap.GetStatistics()}");
        heap.Validate();
    }

    [Fact]
    public void Discarded_pages_are_not_discarded_again_before_they_are_used()
    {
        NativeHeap heap = Create();
        nint[] blocks = Allocate(heap, 1000, 1000);
        Free(heap, 1000, blocks[1..]);
        heap.Trim();
        int discards = _memory.Discards.Count;
        heap.Trim();
        _clock.Advance(s_idle * 4);
        Assert.Equal(discards, _memory.Discards.Count);

        AllocateAndFree(heap, 1000, 1000);
        heap.Trim();
        Assert.True(_memory.Discards.Count > discards);
    }

    [Fact]
    public void Without_room_for_caches_the_clock_still_discards_free_blocks_amid_blocks_in_use()
    {
        NativeHeap heap = Create(cap: 0);
        nint[] blocks = Allocate(heap, 1000, 1000);
        Free(heap, 1000, blocks[1..]);
        Assert.Empty(_memory.Discards);
        Assert.True(_clock.Trim.IsRunning);
        _clock.Advance(s_idle * 2);
        Assert.NotEmpty(_memory.Discards);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Theory]
    [InlineData(20_480)]
    [InlineData(98_304)]
    public void What_was_idle_in_magazines_for_the_timeout_is_discarded_at_once_amid_blocks_in_use(int blockSize)
    {
        NativeHeap heap = Create();
        nint[] blocks = [];
        for (int round = 0; round < 4; round++)
        {
            // The thread comes to have room for all of them.
            Free(heap, (nuint)blockSize, blocks);
            blocks = Allocate(heap, (nuint)blockSize, 16);
        }

        nint[] free = [.. blocks.Where(static (_, index) => index % 8 != 0)];
        Free(heap, (nuint)blockSize, free);
        _clock.Advance(s_idle + (s_idle / 2));

        HashSet<nint> discarded = [.. _memory.Discards.SelectMany(static range => PagesOf(range.Address, range.Size))];
        int wanted = free.SelectMany(block => PagesOf(block, (nuint)blockSize)).Distinct().Count();
        Assert.InRange(discarded.Count, wanted * 3 / 4, wanted + 16);
    }

    [Fact]
    public void A_timeout_of_many_sweeps_ends()
    {
        NativeHeap heap = Create(idle: TimeSpan.FromHours(2));
        nint[] blocks = Allocate(heap, 20_480, 64);
        Free(heap, 20_480, [.. blocks.Where(static (_, index) => index % 8 != 0)]);
        _clock.Advance(TimeSpan.FromHours(1.9));
        int early = _memory.Discards.Count;
        _clock.Advance(TimeSpan.FromHours(2.2));

        Assert.Equal(0, early);
        Assert.NotEmpty(_memory.Discards);
    }

    private static IEnumerable<nint> PagesOf(nint address, nuint size)
    {
        nint unit = Environment.SystemPageSize;
        for (nint page = address & -unit; page < address + (nint)size; page += unit)
        {
            yield return page;
        }
    }
}
