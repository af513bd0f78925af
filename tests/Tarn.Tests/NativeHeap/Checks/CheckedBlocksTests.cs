using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Checks;

/// <summary>The heap's behaviour when its source or the system refuses, and internal state that only these tests see.</summary>
public sealed unsafe class CheckedBlocksTests : IDisposable
{
    private readonly LimitedSource _source = new();
    private readonly RefusingMemory _memory = new();
    private readonly MemoryBudget _budget = new(32 << 20);
    private readonly ManualTime _time = new();
    private readonly List<CheckedBlocks> _made = [];

    public void Dispose()
    {
        _made.ForEach(static heap => heap.ReleaseAll());
        Assert.Equal((0, 0), (_source.Held, _memory.Reservations));
    }

    [Fact]
    public void A_source_without_memory_changes_nothing_and_the_heap_works_on_after()
    {
        CheckedBlocks heap = Create(BufferChecks.All);
        byte* block = (byte*)heap.Allocate(100, 1, zeroed: true);
        block[99] = 9;
        _source.Left = 0;
        Assert.Throws<OutOfMemoryException>(() => { heap.Allocate(100, 1, zeroed: false); });
        Assert.Throws<OutOfMemoryException>(() => { heap.Reallocate(block, 100, oldAlignment: null, 50, 1); });

        Assert.Equal((1, 112, 0), (heap.InUseBlocks, heap.InUseBytes, heap.RetainedBytes));
        heap.Validate();
        _source.Left = 1;
        byte* moved = (byte*)heap.Reallocate(block, 100, oldAlignment: null, 200, 1);
        Assert.Equal((9, 0), (moved[99], moved[98]));
        heap.Free(moved, 200, 1);
        Assert.Equal(0, heap.InUseBlocks);
    }

    [Theory]
    [InlineData(1, 1, true)]
    [InlineData(1, 64, true)]
    [InlineData(8, 61, true)]
    [InlineData(16, 4096, true)]
    [InlineData(4096, 100, true)]
    [InlineData(2 << 20, 100, true)]
    [InlineData(2 << 20, 100, false)]
    [InlineData(4, 12, false)]
    public void Blocks_are_aligned_guarded_or_not_and_end_as_close_to_the_guard_as_that_allows(int alignment, int size, bool isGuarded)
    {
        CheckedBlocks heap = Create(isGuarded ? BufferChecks.GuardPages : BufferChecks.Returns);
        byte* block = (byte*)heap.Allocate((nuint)size, (nuint)alignment, zeroed: true);

        Assert.Equal((nuint)0, (nuint)block % (nuint)alignment);
        Assert.False(new Span<byte>(block, size).ContainsAnyExcept((byte)0));
        CheckedBlock record = heap.Find((nuint)block)!;
        Assert.Equal(isGuarded, record.IsGuarded);
        if (isGuarded)
        {
            Assert.Equal(record.Limit - _memory.OsPageSize, record.End);
            Assert.InRange(record.End - record.Start - record.Size, (nuint)0, (nuint)Math.Min(alignment, (int)_memory.OsPageSize) - 1);
        }
        else
        {
            Assert.True(
                record.Start - record.Base >= Redzone.SmallestSize && record.End - record.Start - record.Size >= Redzone.SmallestSize);
        }

        heap.Validate();
        heap.Free(block, (nuint)size, (nuint)alignment);
        Assert.Equal(isGuarded, record.IsSealed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Blocks_are_not_guarded_when_the_system_refuses(bool refusesReserve)
    {
        CheckedBlocks heap = Create(BufferChecks.GuardPages);
        (_memory.RefusesReserve, _memory.RefusesCommit) = (refusesReserve, !refusesReserve);
        void* block = heap.Allocate(100, 1, zeroed: false);

        Assert.False(heap.Find((nuint)block)!.IsGuarded);
        Assert.Equal(0, _memory.Reservations);
        heap.Free(block, 100, 1);
    }

    [Fact]
    public void A_guarded_block_that_the_system_does_not_seal_is_poisoned_as_any_other()
    {
        CheckedBlocks heap = Create(BufferChecks.All | BufferChecks.GuardPages);
        using IncidentLog incidents = new(heap.Name);
        _memory.RefusesSeal = true;
        byte* block = (byte*)heap.Allocate(100, 1, zeroed: false);
        heap.Free(block, 100, 1);
        Assert.Equal(BufferDiagnostics.PoisonByte, block[50]);
        block[50] = 0;
        heap.Trim();

        Assert.Equal(BufferIncidentKind.UseAfterReturn, incidents.WaitForOne().Kind);
    }

    [Fact]
    public void One_block_in_so_many_is_guarded()
    {
        CheckedBlocks heap = Create(BufferChecks.GuardPages, guardInterval: 3);
        int guarded = Enumerable.Range(0, 300).Count(_ => heap.Find((nuint)heap.Allocate(10, 1, zeroed: false))!.IsGuarded);

        Assert.Equal((100, 100), (guarded, _memory.Reservations));
    }

    [Fact]
    public void No_more_blocks_are_guarded_at_a_time_than_the_system_can_bear()
    {
        GuardedMemory guarded = new(_memory);
        nuint osPage = _memory.OsPageSize;
        nuint[] all = new nuint[GuardedMemory.Most];
        for (int i = 0; i < all.Length; i++)
        {
            all[i] = guarded.Allocate(osPage, osPage);
        }

        Assert.DoesNotContain((nuint)0, all);
        Assert.Equal((nuint)0, guarded.Allocate(osPage, osPage));
        foreach (nuint address in all)
        {
            guarded.Release(Block(address, 2 * osPage));
        }

        nuint next = guarded.Allocate(osPage, osPage);
        Assert.NotEqual((nuint)0, next);
        guarded.Release(Block(next, 2 * osPage));
    }

    [Fact]
    public void Blocks_that_are_gone_are_remembered_for_a_while_and_not_for_ever()
    {
        _budget.Limit = 0;
        CheckedBlocks heap = Create(BufferChecks.GuardPages);
        nuint[] freed = new nuint[BlockMap.MostGone + 50];
        for (int i = 0; i < freed.Length; i++)
        {
            freed[i] = (nuint)heap.Allocate(10, 1, zeroed: false);
        }

        foreach (nuint block in freed)
        {
            heap.Free((void*)block, 10, 1);
        }

        heap.Validate();
        Assert.Contains("freed already", Refusal(heap, freed[^1]), StringComparison.Ordinal);
        Assert.Contains("freed already", Refusal(heap, freed[50]), StringComparison.Ordinal);
        Assert.Contains("no block of this heap", Refusal(heap, freed[49]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_cap_that_was_lowered_empties_the_quarantine_at_the_next_tick()
    {
        TrimClock clock = new(_time, static () => false);
        CheckedBlocks heap = Create(BufferChecks.Returns, clock: clock);
        for (int i = 0; i < 10; i++)
        {
            heap.Free(heap.Allocate(1000, 1, zeroed: false), 1000, 1);
        }

        Assert.Equal(10 * 1280, heap.RetainedBytes);
        _budget.Limit = 5000;
        clock.Tick();

        Assert.Equal(3 * 1280, heap.RetainedBytes);
        heap.Validate();
    }

    [Fact]
    public void Blocks_in_use_are_counted_by_their_class()
    {
        CheckedBlocks heap = Create(BufferChecks.Leaks);
        using IncidentLog incidents = new(heap.Name);
        foreach (nuint size in (nuint[])[1, 1, 4, 5, 1000, 1024])
        {
            heap.Allocate(size, 1, zeroed: false);
        }

        heap.Free(heap.Allocate(500, 1, zeroed: false), null, null);

        long[] counts = heap.CountInUseByClass();
        Assert.Equal((3, 1, 2, 6), (counts[0], counts[1], counts[BlockSizes.IndexOf(1024)], counts.Sum()));
        Assert.Equal((3 * 4) + 8 + (2 * 1024), heap.InUseBytes);
        heap.ReleaseAll();
        Assert.Equal((0, 0), (heap.InUseBlocks, heap.InUseBytes));
        Assert.Equal(2035, incidents.WaitForOne().SizeInBytes);
    }

    [Fact]
    public void Memory_that_is_handed_out_while_it_is_held_is_refused()
    {
        BlockMap map = new();
        CheckedBlock held = Block(1000, 100);
        map.Add(held);
        foreach ((nuint address, nuint footprint) in ((nuint, nuint)[])[(1000, 100), (901, 100), (1099, 1), (1010, 10), (900, 500)])
        {
            Assert.Throws<InvalidOperationException>(() => map.Add(Block(address, footprint)));
        }

        Assert.Same(held, map.Find(1099));
        Assert.Null(map.Find(1100));
        map.Bury(held);
        CheckedBlock next = Block(1050, 100);
        map.Add(next);
        Assert.Same(next, map.Find(1099));
        Assert.Null(map.Find(1049));
        map.Validate();
    }

    private static CheckedBlock Block(nuint address, nuint footprint) => new()
    {
        Base = address,
        Footprint = footprint,
        Start = address,
        Size = footprint,
        Alignment = 1,
        End = address + footprint,
        IsGuarded = false,
        AllocatedAt = null,
        ReportsLeak = false,
    };

    private static string Refusal(CheckedBlocks heap, nuint block) =>
        Assert.Throws<InvalidOperationException>(() => heap.Free((void*)block, 10, 1)).Message;

    private CheckedBlocks Create(BufferChecks checks, uint guardInterval = 1, TrimClock? clock = null)
    {
        CheckedBlocks heap = new(new CheckedBlocksOptions
        {
            Name = $"inside {Guid.NewGuid()}",
            Checks = checks,
            Source = _source,
            Memory = _memory,
            Budget = _budget,
            Clock = clock ?? new TrimClock(_time, static () => false),
            IdleTimeout = TimeSpan.FromMinutes(1),
            GuardInterval = guardInterval,
        });
        _made.Add(heap);
        return heap;
    }
}
